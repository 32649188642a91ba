import CNewsflashCurl
public import NewsflashHTTPTransport

/// Sends requests over HTTP/1.1, on one thread, with persistent and shared connections.
///
/// libcurl opens the connections: it handles names, proxies, TLS and its verification. This module handles HTTP.
///
/// Results come on the transport's thread, named `newsflash-curl`; all results of one turn of its loop for the same receiver
/// come in one call. A request that is not idempotent is written at most once, even if a reused connection turns out to be
/// dead. Redirects are not followed: a 3xx is a response. Certificates are always verified.
public final class CurlTransport: HTTPTransport {
    private let inbox: Inbox
    private let thread: LoopThread

    /// Starts the thread; connections are opened as requests need them.
    ///
    /// - Parameter configuration: Limits, time-outs, trust and proxy.
    /// - Throws: ``HTTPTransportError`` with code `other` if the system has no thread or memory left, or if a proxy in the
    ///   configuration or the environment is not a proxy URL.
    public init(_ configuration: CurlTransportConfiguration = CurlTransportConfiguration()) throws(HTTPTransportError) {
        try ProxyURL.check(configuration.proxy)
        guard let signal = WakeSignal(), let poller = Poller(signal) else {
            throw HTTPTransportError(.other, "no file descriptors left; check the limit", mayHaveBeenReceived: false)
        }
        guard CurlLibrary.initialize(), let multi = curl_multi_init() else {
            throw HTTPTransportError(.other, "libcurl cannot be started; check the memory", mayHaveBeenReceived: false)
        }
        let inbox = Inbox(signal)
        let handover = Handover(multi: multi, poller: poller)
        let thread = LoopThread(name: "newsflash-curl") {
            CurlLoop(
                multi: handover.multi,
                poller: handover.poller,
                configuration: configuration,
                inbox: inbox
            ).run()
        }
        guard let thread else {
            curl_multi_cleanup(multi)
            throw HTTPTransportError(.other, "no thread left for libcurl; check the limit", mayHaveBeenReceived: false)
        }
        self.inbox = inbox
        self.thread = thread
    }

    deinit {
        inbox.close()
    }

    /// Starts requests; never blocks.
    ///
    /// - Parameters:
    ///   - exchanges: Requests with the numbers that identify their results.
    ///   - receiver: The receiver of the results, kept until the last request has ended. After ``shutdown()`` it is called from
    ///     a task.
    public func start(_ exchanges: [HTTPExchange], receiver: any HTTPResultReceiver) {
        guard !exchanges.isEmpty else { return }
        let submission = Inbox.Submission(exchanges: exchanges, receiver: receiver)
        if inbox.put(.start(submission)) { return }
        // Not directly, because the caller may hold a lock that the receiver acquires. Nobody waits for this task: it ends when
        // the receiver has its results.
        Task { receiver.receive(submission.cancelledResults) }
    }

    /// Ends requests as soon as possible; never blocks.
    ///
    /// Unwritten requests are certainly not sent. A request in flight also closes its connection.
    ///
    /// - Parameters:
    ///   - ids: The numbers from ``start(_:receiver:)``.
    ///   - receiver: The receiver from ``start(_:receiver:)``.
    public func cancel(_ ids: [UInt64], receiver: any HTTPResultReceiver) {
        guard !ids.isEmpty else { return }
        // If the inbox is closed, everything is cancelled anyway.
        _ = inbox.put(.cancel(Inbox.Cancellation(ids: Set(ids), receiver: receiver)))
    }

    /// Closes connections to the origin of a URL when they are idle; never blocks.
    ///
    /// Later requests use connections that are opened after this call, to the addresses that the name has then.
    ///
    /// - Parameter url: The URL of a request.
    public func renewConnections(to url: String) {
        _ = inbox.put(.renew(url))
    }

    /// Ends all exchanges with `cancelled`, then the thread, and waits for that, which takes a few milliseconds.
    ///
    /// If a receiver calls it, it does not wait. A second call does nothing.
    public func shutdown() {
        inbox.close()
        thread.join()
    }

    // Unchecked, because both are passed to the loop's thread once and only used there.
    private struct Handover: @unchecked Sendable {
        let multi: UnsafeMutableRawPointer
        let poller: Poller
    }
}

/// libcurl's global initialization, which must be done once per process, before any handle exists.
enum CurlLibrary {
    private static let initialization = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    /// Initializes the library on the first call; safe on any thread.
    ///
    /// - Returns: Whether the library can be used.
    static func initialize() -> Bool {
        initialization == CURLE_OK
    }
}

extension CURLcode {
    /// libcurl's text for the code.
    var text: String {
        curl_easy_strerror(self).map { String(cString: $0) } ?? "libcurl error \(rawValue)"
    }
}

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
