/// What a ``CurlTransport`` allows itself; the defaults suit a hub in the cloud.
package struct CurlTransportConfiguration: Sendable, Equatable {
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
    /// Bytes that an answer may have, with its headers and all that frames it; 1 MiB.
    package var maximumResponseBytes = 1_048_576
    /// A PEM file of authorities that are trusted in place of the system's; `nil` for the system's.
    package var caFile: String?
    /// Through which proxy connections are opened; by default what the environment says.
    package var proxy: ProxyPolicy = .environment
    /// The `User-Agent` of requests that bring none of their own, and towards a proxy.
    package var userAgent = "newsflash"

    /// Makes a configuration of the defaults.
    package init() {}
}
