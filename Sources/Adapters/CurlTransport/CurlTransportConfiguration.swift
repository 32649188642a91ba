/// What a ``CurlTransport`` allows itself; the defaults suit a hub in the cloud.
package struct CurlTransportConfiguration: Sendable, Equatable {
    /// Which version of HTTP is spoken.
    package enum VersionPolicy: Sendable, Equatable {
        /// HTTP/2 over TLS where the server offers it (ALPN), else HTTP/1.1.
        ///
        /// libcurl 7.88 writes a body after its headers; where an HTTP/2 server answers and resets the stream between the
        /// two, the answer is lost and the result is `connectionLost`. Seen only with servers on the same machine.
        case automatic
        /// HTTP/1.1 everywhere.
        case http1
    }

    /// Time to resolve the name, open the connection and shake hands (TLS, proxy); 5 s.
    package var connectTimeout: Duration = .seconds(5)
    /// Time from the first written byte of the request to the first byte of the answer; 15 s.
    package var firstByteTimeout: Duration = .seconds(15)
    /// Time from the start of the exchange to its end, waiting for a free connection included; 30 s.
    package var requestTimeout: Duration = .seconds(30)
    /// Connections to one host and port at a time; further requests wait. 16.
    package var maximumConnectionsPerHost = 16
    /// Connections at a time, idle ones included; 64.
    package var maximumConnections = 64
    /// How long a connection may lie idle and still be used again; 60 s, less than servers and load balancers wait, so
    /// that few requests meet a connection that is just being closed.
    package var maximumIdleTime: Duration = .seconds(60)
    /// Bytes of headers and body that an answer may have; 1 MiB.
    package var maximumResponseBytes = 1_048_576
    /// A PEM file of authorities that are trusted in place of the system's; `nil` for the system's.
    package var caFile: String?
    /// Where requests go first; by default what the environment says.
    package var proxy: ProxyPolicy = .environment
    /// Which version of HTTP is spoken; `.automatic`.
    package var httpVersion: VersionPolicy = .automatic
    /// The `User-Agent` of requests that bring none of their own.
    package var userAgent = "newsflash"

    /// Makes a configuration of the defaults.
    package init() {}
}
