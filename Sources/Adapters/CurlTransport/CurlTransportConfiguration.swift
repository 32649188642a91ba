/// What a ``CurlTransport`` allows itself; the defaults suit a hub in the cloud.
public struct CurlTransportConfiguration: Sendable, Equatable {
    /// Time to resolve the name, open the connection and shake hands (TLS, proxy); 5 s.
    public var connectTimeout: Duration = .seconds(5)
    /// Time from the first written byte of the request to the first byte of the answer; 15 s.
    public var firstByteTimeout: Duration = .seconds(15)
    /// Time from the start of the exchange to its end, waiting for a free connection included; 30 s.
    public var requestTimeout: Duration = .seconds(30)
    /// Connections to one host and port at a time; further requests wait. 16.
    public var maximumConnectionsPerHost = 16
    /// Connections at a time, idle ones included; 64.
    public var maximumConnections = 64
    /// How long a connection may lie idle and still be used again; 60 s, less than servers and load balancers wait, so
    /// that few requests meet a connection that is just being closed. A server that allows less by `Keep-Alive: timeout=`
    /// gets less.
    public var maximumIdleTime: Duration = .seconds(60)
    /// How long a connection may be used, up to a fifth more or less by chance; 5 min. A server whose name has moved to another
    /// address loses its last connections within this time.
    public var maximumConnectionAge: Duration = .seconds(300)
    /// How long the peer may acknowledge nothing of what was sent before the connection counts as lost (`TCP_USER_TIMEOUT`),
    /// and how long it may take in no more of a request; 5 s.
    public var acknowledgementTimeout: Duration = .seconds(5)
    /// Bytes that an answer may have, with its headers and all that frames it; 1 MiB.
    public var maximumResponseBytes = 1_048_576
    /// A PEM file of authorities that are trusted in place of the system's; `nil` for the system's.
    public var caFile: String?
    /// Through which proxy connections are opened; by default what the environment says.
    public var proxy: ProxyPolicy = .environment
    /// The `User-Agent` of requests that bring none of their own, and towards a proxy.
    public var userAgent = "newsflash"

    /// Makes a configuration of the defaults.
    public init() {}
}
