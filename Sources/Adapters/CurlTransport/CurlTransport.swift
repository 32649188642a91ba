import CCurl
public import HTTPTransport

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
        guard let bell = Bell(), let poller = Poller(bell) else {
            throw HTTPTransportError(.other, "no file descriptors left; check the limit", mayHaveBeenReceived: false)
        }
        guard CurlLibrary.initialize(), let multi = curl_multi_init() else {
            throw HTTPTransportError(.other, "libcurl cannot be started; check the memory", mayHaveBeenReceived: false)
        }
        let inbox = Inbox(bell)
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
