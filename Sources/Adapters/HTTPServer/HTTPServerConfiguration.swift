/// Where a server listens and what it lets in.
package struct HTTPServerConfiguration: Sendable {
    /// The address or name to bind; the loopback address by default, so that nothing is open to others by accident.
    package var host: String
    /// The port to bind; 0 takes a free one, see ``HTTPServer/port``.
    package var port: UInt16
    /// What the server proves itself with; it then speaks HTTPS, and nothing else. Nothing for plain HTTP.
    package var tls: HTTPServerTLS?
    /// How many bytes of bodies the server holds at once; a request whose body does not fit is answered
    /// ``HTTPServerRefusal/busy``.
    package var bodyBudget: Int
    /// How many connections are served at once; fewer where the system allows fewer file descriptors. For one more, the one
    /// that has been idle for longest is ended, or else the one whose request has been coming for longest; where all are
    /// being answered, it waits in the system's queue.
    package var maximumConnections: Int
    /// How many of them may come from one address, or one /64 of IPv6; one more is closed at once. `nil` for any number, as
    /// behind a proxy, where all come from one address.
    package var maximumConnectionsPerAddress: Int?
    /// Addresses of proxies: their connections are those of all clients, and any number may be open.
    package var addressesOfProxies: [AddressRange]
    /// Connections without traffic for this long are closed; whole seconds, zero means never. Does not run while a reply
    /// is worked on or a stream has nothing to send.
    package var idleTimeout: Duration
    /// How long a request may take to come, from the end of its first line to the end of its body, however steadily it
    /// trickles; zero means for ever.
    package var requestTimeout: Duration
    /// How long a client may take to read an answer that is no stream, however steadily; zero means for ever.
    package var answerTimeout: Duration

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - host: The address or name to bind.
    ///   - port: The port to bind; 0 takes a free one.
    ///   - tls: What the server proves itself with; nothing for plain HTTP.
    ///   - bodyBudget: How many bytes of bodies are held at once.
    ///   - maximumConnections: How many connections are served at once.
    ///   - maximumConnectionsPerAddress: How many of them may come from one address.
    ///   - addressesOfProxies: Addresses from which any number may come.
    ///   - idleTimeout: How long a connection may be silent.
    ///   - requestTimeout: How long a request may take to come.
    ///   - answerTimeout: How long a client may take to read an answer.
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

/// A server's certificate and the key that belongs to it. TLS 1.2 and 1.3 are spoken.
package struct HTTPServerTLS: Sendable {
    /// In PEM, the server's own first, then those behind it.
    package var certificate: [UInt8]
    /// In PEM, without a passphrase.
    package var key: [UInt8]

    /// Makes the pair; whether the two belong together shows when the server starts.
    ///
    /// - Parameters:
    ///   - certificate: In PEM, the server's own first.
    ///   - key: In PEM, without a passphrase.
    package init(certificate: [UInt8], key: [UInt8]) {
        self.certificate = certificate
        self.key = key
    }
}

extension HTTPServerTLS: CustomStringConvertible, CustomReflectable {
    /// Without the key.
    package var description: String { "HTTPServerTLS(key: <redacted>)" }
    /// Without the key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
