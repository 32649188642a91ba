/// How ``CurlTransport`` connects and how long it waits.
package struct CurlTransportConfiguration: Sendable, Equatable {
    /// Which versions of HTTP may be spoken.
    package enum Version: Sendable, Equatable {
        /// HTTP/2 where the peer agrees to it over TLS, else HTTP/1.1.
        case automatic
        case http1
    }

    /// For the address, the connection and the TLS handshake together.
    package var connectTimeout: Duration
    /// From the start of a request to the first byte of its answer.
    package var firstByteTimeout: Duration
    /// From the start of a request to the last byte of its answer.
    package var requestTimeout: Duration
    /// Requests beyond wait for a free one.
    package var maximumConnectionsPerHost: Int
    package var maximumConnections: Int
    /// A larger body ends the request with ``HTTPTransportError/Code/responseTooLarge``.
    package var maximumResponseBytes: Int
    /// Certificates to trust in place of the system's, in PEM.
    package var caFile: String?
    /// In place of `https_proxy`, `http_proxy` and `no_proxy` of the environment; empty for none.
    package var proxy: String?
    package var version: Version
    /// Sent where a request names none.
    package var userAgent: String

    package init(
        connectTimeout: Duration = .seconds(5),
        firstByteTimeout: Duration = .seconds(15),
        requestTimeout: Duration = .seconds(30),
        maximumConnectionsPerHost: Int = 64,
        maximumConnections: Int = 256,
        maximumResponseBytes: Int = 1 << 20,
        caFile: String? = nil,
        proxy: String? = nil,
        version: Version = .automatic,
        userAgent: String = "newsflash"
    ) {
        self.connectTimeout = connectTimeout
        self.firstByteTimeout = firstByteTimeout
        self.requestTimeout = requestTimeout
        self.maximumConnectionsPerHost = maximumConnectionsPerHost
        self.maximumConnections = maximumConnections
        self.maximumResponseBytes = maximumResponseBytes
        self.caFile = caFile
        self.proxy = proxy
        self.version = version
        self.userAgent = userAgent
    }
}
