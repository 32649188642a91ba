package import HTTPServer

/// Where and how a gateway listens.
package struct GatewayOptions: Sendable {
    /// The address; one that others can reach needs ``tls``.
    package var address: ListenAddress
    /// What the server proves itself with; it then speaks HTTPS, and nothing else.
    package var tls: HTTPServerTLS?
    /// The files that ``tls`` is read from again when they change; `nil` if it stays as it is.
    package var tlsFiles: TLSSource?
    /// The origins whose pages may ask, such as `https://news.example.org`.
    package var allowedOrigins: Set<String>
    /// Where health and metrics are served, for people on call and Prometheus; nowhere where it is nothing.
    package var admin: ListenAddress?

    /// Files with a certificate and its key.
    package struct TLSSource: Sendable {
        /// The files whose change means another certificate.
        package var paths: [String]
        /// Reads and checks them; the error names the file and the remedy.
        package var read: @Sendable () throws -> HTTPServerTLS

        /// Makes a source.
        ///
        /// - Parameters:
        ///   - paths: The files whose change means another certificate.
        ///   - read: Reads and checks them.
        package init(paths: [String], read: @escaping @Sendable () throws -> HTTPServerTLS) {
            self.paths = paths
            self.read = read
        }
    }

    /// Makes options.
    ///
    /// - Parameters:
    ///   - address: Where to listen; port 0 takes a free one.
    ///   - tls: What the server proves itself with.
    ///   - allowedOrigins: The origins whose pages may ask.
    ///   - admin: Where health and metrics are served.
    package init(
        address: ListenAddress = ListenAddress(host: "127.0.0.1", port: 0),
        tls: HTTPServerTLS? = nil,
        allowedOrigins: Set<String> = [],
        admin: ListenAddress? = nil
    ) {
        self.address = address
        self.tls = tls
        self.allowedOrigins = allowedOrigins
        self.admin = admin
    }

    /// Whether only this machine can reach the address.
    var isLoopback: Bool {
        let host = address.host.lowercased()
        let isIPv4 = ClientAddress(host).map { $0.description.hasPrefix("127.") } ?? false
        return isIPv4 || host == "localhost" || host == "::1"
    }

    /// Whether only this machine can reach the server, which then trusts its users with more.
    var isLocal: Bool { isLoopback && tls == nil }

    /// The address as clients write it.
    ///
    /// - Parameter port: The one that is bound.
    /// - Returns: Scheme, host and port.
    func url(port: UInt16) -> String {
        let host =
            switch address.host {
            // What is bound everywhere is asked for at home.
            case "0.0.0.0", "": "127.0.0.1"
            case "::": "[::1]"
            case let host where host.contains(":"): "[\(host)]"
            case let host: host
            }
        return "\(tls == nil ? "http" : "https")://\(host):\(port)"
    }

    /// Holds the address to the rule that credentials leave this machine under TLS only.
    ///
    /// - Throws: ``GatewayStartError``.
    package func check() throws(GatewayStartError) {
        guard tls != nil || isLoopback else {
            throw GatewayStartError(
                .configuration,
                "without TLS only a loopback address may be listened on, for passwords would cross the network in the "
                    + "clear: give --tls-certificate and --tls-key, or listen on 127.0.0.1 behind a proxy "
                    + "that has them, with gateway.trustedProxies: [127.0.0.1]"
            )
        }
    }
}
