import CCurl
public import HTTPTransport

/// Sends requests over HTTP/1.1: one thread, connections kept and shared.
///
/// libcurl opens the connections: names, proxies, TLS and its verification are its work. What is said over them is ours.
///
/// Results come on the transport's thread, named `newsflash-curl`; all that end in one turn of its loop for the same
/// receiver come in one call. A request that is not idempotent is written at most once, also when a reused connection
/// turns out to be dead. Redirects are not followed: a 3xx is an answer. Certificates are always verified.
public final class CurlTransport: HTTPTransport {
    private let inbox: Inbox
    private let thread: LoopThread

    /// Starts the thread; connections are opened as requests need them.
    ///
    /// - Parameter configuration: Limits, time-outs, trust and proxy.
    /// - Throws: ``HTTPTransportError`` with code `other` if the system gives no thread or memory, or if a proxy of the
    ///   configuration or of the environment is not the URL of one.
    public init(_ configuration: CurlTransportConfiguration = CurlTransportConfiguration()) throws(HTTPTransportError) {
        try ProxyURL.check(configuration.proxy)
        guard let bell = Bell(), let poller = Poller(bell) else {
            throw HTTPTransportError(.other, "no descriptors to wait with: limit?", mayHaveBeenReceived: false)
        }
        guard CurlLibrary.initialize(), let multi = curl_multi_init() else {
            throw HTTPTransportError(.other, "libcurl cannot be started: out of memory?", mayHaveBeenReceived: false)
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
            throw HTTPTransportError(.other, "no thread for libcurl: limit of the system?", mayHaveBeenReceived: false)
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
    ///   - exchanges: Requests with the numbers under which their results come back.
    ///   - receiver: Kept until the last of them has ended. After ``shutdown()`` it is called from a task.
    public func start(_ exchanges: [HTTPExchange], receiver: any HTTPResultReceiver) {
        guard !exchanges.isEmpty else { return }
        let submission = Inbox.Submission(exchanges: exchanges, receiver: receiver)
        if inbox.put(.start(submission)) { return }
        // Not from here, where the caller may hold a lock that the receiver takes. Nobody waits for this task: it is over
        // when the receiver has its results.
        Task { receiver.receive(submission.cancelledResults) }
    }

    /// Ends requests as soon as possible; never blocks.
    ///
    /// What was not written is surely not sent. A request under way takes its connection along.
    ///
    /// - Parameters:
    ///   - ids: Numbers given at the start.
    ///   - receiver: The one given at the start.
    public func cancel(_ ids: [UInt64], receiver: any HTTPResultReceiver) {
        guard !ids.isEmpty else { return }
        // Once the inbox is closed, everything is cancelled anyway.
        _ = inbox.put(.cancel(Inbox.Cancellation(ids: Set(ids), receiver: receiver)))
    }

    /// Closes connections to the origin of a URL once they are idle; never blocks.
    ///
    /// Requests that come later go on connections that are opened after this call, to the addresses that the name has then.
    ///
    /// - Parameter url: Of a request.
    public func renewConnections(to url: String) {
        _ = inbox.put(.renew(url))
    }

    /// Ends what is under way with `cancelled`, then the thread, and waits for it: a few milliseconds.
    ///
    /// Called from a receiver it does not wait. A second call does nothing.
    public func shutdown() {
        inbox.close()
        thread.join()
    }

    // Unchecked, because both pass to the loop's thread once and are used only there.
    private struct Handover: @unchecked Sendable {
        let multi: UnsafeMutableRawPointer
        let poller: Poller
    }
}
