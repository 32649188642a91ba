/// The limits and time-outs of a ``CurlTransport``; the defaults suit a hub in the cloud.
public struct CurlTransportConfiguration: Sendable, Equatable {
    /// Time to resolve the name, open the connection and complete the handshakes (TLS, proxy); 5 s.
    public var connectTimeout: Duration = .seconds(5)
    /// Time from the first written byte of the request to the first byte of the response; 15 s.
    public var firstByteTimeout: Duration = .seconds(15)
    /// Time from the start of the exchange to its end, including the wait for a free connection; 30 s.
    public var requestTimeout: Duration = .seconds(30)
    /// The maximum number of connections to one host and port; further requests wait. 16.
    public var maximumConnectionsPerHost = 16
    /// The maximum number of connections, including idle ones; 64.
    public var maximumConnections = 64
    /// How long a connection may be idle and still be used again; 60 s. That is less than servers and load balancers wait, so
    /// few requests meet a connection that is being closed. If a server allows less with `Keep-Alive: timeout=`, that applies.
    public var maximumIdleTime: Duration = .seconds(60)
    /// How long a connection may be used, randomly varied by up to a fifth; 5 min. A server whose name has moved to another
    /// address loses its last connections within this time.
    public var maximumConnectionAge: Duration = .seconds(300)
    /// How long the peer may acknowledge no sent bytes before the connection counts as lost (`TCP_USER_TIMEOUT`), and how long
    /// it may accept no more of a request; 5 s.
    public var acknowledgementTimeout: Duration = .seconds(5)
    /// The maximum size of a response, including headers and framing; 1 MiB.
    public var maximumResponseBytes = 1_048_576
    /// A PEM file of authorities that are trusted instead of the system's; `nil` for the system's.
    public var caFile: String?
    /// The proxy for new connections; by default the one in the environment.
    public var proxy: ProxyPolicy = .environment
    /// The `User-Agent` of requests without one of their own, and for a proxy.
    public var userAgent = "newsflash"

    /// Creates a configuration with the defaults.
    public init() {}
}
