package import NewsflashHTTPServer

/// The addresses of a gateway and their settings.
package struct GatewayOptions: Sendable {
    /// The address; ``tls`` is required if other machines can reach it.
    package var address: ListenAddress
    /// The server's certificate and key; with them the server uses only HTTPS.
    package var tls: HTTPServerTLS?
    /// The files from which ``tls`` is read again when they change; `nil` if it never changes.
    package var tlsFiles: TLSSource?
    /// The origins whose pages may send requests, such as `https://news.example.org`.
    package var allowedOrigins: Set<String>
    /// The address for health and metrics, for people on call and Prometheus; `nil` for none.
    package var admin: ListenAddress?

    /// Files with a certificate and its key.
    package struct TLSSource: Sendable {
        /// The paths of the files to watch.
        package var paths: [String]
        /// Reads and checks the files; the error names the file and the remedy.
        package var read: @Sendable () throws -> HTTPServerTLS

        /// Creates a source.
        ///
        /// - Parameters:
        ///   - paths: The paths of the files to watch.
        ///   - read: Reads and checks the files.
        package init(paths: [String], read: @escaping @Sendable () throws -> HTTPServerTLS) {
            self.paths = paths
            self.read = read
        }
    }

    /// Creates options.
    ///
    /// - Parameters:
    ///   - address: The address; port 0 means a free port.
    ///   - tls: The server's certificate and key.
    ///   - allowedOrigins: The origins whose pages may send requests.
    ///   - admin: The address for health and metrics.
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

    /// Whether only this machine can reach the server; most default limits do not apply then.
    var isLocal: Bool { isLoopback && tls == nil }

    /// Returns the URL for clients.
    ///
    /// - Returns: Scheme, host and port.
    func url(port: UInt16) -> String {
        let host =
            switch address.host {
            // A server bound to all interfaces is reached by its loopback address.
            case "0.0.0.0", "": "127.0.0.1"
            case "::": "[::1]"
            case let host where host.contains(":"): "[\(host)]"
            case let host: host
            }
        return "\(tls == nil ? "http" : "https")://\(host):\(port)"
    }

    /// Checks that credentials leave this machine only over TLS.
    ///
    /// - Throws: ``GatewayStartError``.
    package func check() throws(GatewayStartError) {
        guard tls != nil || isLoopback else {
            throw GatewayStartError(
                .configuration,
                "without TLS the gateway listens only on a loopback address, because passwords must not cross the "
                    + "network in clear text: use --tls-certificate and --tls-key, or listen on 127.0.0.1 behind a proxy "
                    + "with TLS and set gateway.trustedProxies: [127.0.0.1]"
            )
        }
    }
}

extension GatewayOptions {
    /// Parses an origin from a command-line option.
    ///
    /// - Parameter text: Scheme, host and optional port.
    /// - Returns: The origin as browsers send it; `nil` if the text is not an origin.
    package static func origin(_ text: String) -> String? {
        for scheme in ["http://", "https://"] where text.hasPrefix(scheme) {
            let host = text.dropFirst(scheme.count)
            guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"/?#@*,;\"\\".utf8.contains($0) })
            else { return nil }
            return text.lowercased()
        }
        return nil
    }
}
