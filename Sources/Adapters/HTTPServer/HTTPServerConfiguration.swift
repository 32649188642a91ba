/// The address and the limits of a server.
package struct HTTPServerConfiguration: Sendable {
    /// The address or name to bind; the loopback address by default, so that nothing is open to others by accident.
    package var host: String
    /// The port to bind; 0 binds a free one, see ``HTTPServer/port``.
    package var port: UInt16
    /// The server's certificate, with which it serves only HTTPS; `nil` for plain HTTP.
    package var tls: HTTPServerTLS?
    /// The maximum number of body bytes that the server keeps at once; a request whose body does not fit gets
    /// ``HTTPServerRefusal/busy``.
    package var bodyBudget: Int
    /// The maximum number of connections at once; fewer if the system allows fewer file descriptors. Another one replaces the
    /// one that has been idle longest, otherwise the one whose request has been arriving longest; if all are being answered, it
    /// waits in the system's queue.
    package var maximumConnections: Int
    /// The maximum number of connections from one IPv4 address, or IPv6 /64; another one is closed at once. `nil` for no limit,
    /// as behind a proxy, where all come from one address.
    package var maximumConnectionsPerAddress: Int?
    /// The addresses of proxies: their connections are those of all clients, and are not limited.
    package var addressesOfProxies: [AddressRange]
    /// Connections without traffic for this time are closed; whole seconds, zero means never. Not applied while a reply is
    /// prepared or a stream has nothing to send.
    package var idleTimeout: Duration
    /// The maximum time for a request to arrive, from the end of its first line to the end of its body, even if it arrives
    /// steadily; zero means no limit.
    package var requestTimeout: Duration
    /// The maximum time for a client to read a response that is not a stream, even if it reads steadily; zero means no limit.
    package var answerTimeout: Duration

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - host: The address or name to bind.
    ///   - port: The port to bind; 0 binds a free one.
    ///   - tls: The server's certificate; `nil` for plain HTTP.
    ///   - bodyBudget: The maximum number of body bytes that are kept at once.
    ///   - maximumConnections: The maximum number of connections at once.
    ///   - maximumConnectionsPerAddress: The maximum number of connections from one address.
    ///   - addressesOfProxies: Addresses from which the number is not limited.
    ///   - idleTimeout: The maximum time without traffic.
    ///   - requestTimeout: The maximum time for a request to arrive.
    ///   - answerTimeout: The maximum time for a client to read a response.
    package init(
        host: String = "127.0.0.1",
        port: UInt16 = 0,
        tls: HTTPServerTLS? = nil,
        bodyBudget: Int = 64 << 20,
        maximumConnections: Int = 1000,
        maximumConnectionsPerAddress: Int? = nil,
        addressesOfProxies: [AddressRange] = [],
        idleTimeout: Duration = .seconds(60),
        requestTimeout: Duration = .seconds(30),
        answerTimeout: Duration = .seconds(120)
    ) {
        self.host = host
        self.port = port
        self.tls = tls
        self.bodyBudget = bodyBudget
        self.maximumConnections = maximumConnections
        self.maximumConnectionsPerAddress = maximumConnectionsPerAddress
        self.addressesOfProxies = addressesOfProxies
        self.idleTimeout = idleTimeout
        self.requestTimeout = requestTimeout
        self.answerTimeout = answerTimeout
    }
}

/// A server's certificate and its key, for TLS 1.2 and 1.3.
package struct HTTPServerTLS: Sendable {
    /// In PEM, the server's own certificate first, then its issuers.
    package var certificate: [UInt8]
    /// In PEM, without a passphrase.
    package var key: [UInt8]

    /// Creates the pair; whether the two match is checked when the server starts.
    ///
    /// - Parameters:
    ///   - certificate: The certificate in PEM, the server's own first.
    ///   - key: The key in PEM, without a passphrase.
    package init(certificate: [UInt8], key: [UInt8]) {
        self.certificate = certificate
        self.key = key
    }
}

extension HTTPServerTLS: CustomStringConvertible, CustomReflectable {
    /// The description without the key.
    package var description: String { "HTTPServerTLS(key: <redacted>)" }
    /// The reflection without the key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
