import CCurl
import Dispatch
import HTTPTransport
import Locks

/// The thread that owns the multi handle and every transfer.
// Unchecked, because `multi`, `transfers` and the rest are touched by the loop's thread only; what others hand over goes
// through `inbox`.
final class CurlLoop: @unchecked Sendable {
    private struct Inbox {
        var waiting: [(exchanges: [HTTPExchange], receiver: any HTTPResultReceiver)] = []
        var isShutDown = false
        /// `nil` once the thread has given it back.
        var multi: MultiHandle?
    }

    // Unchecked, because other threads use the pointer for `curl_multi_wakeup` only, which any thread may call.
    private struct MultiHandle: @unchecked Sendable {
        let pointer: UnsafeMutableRawPointer
    }

    private let configuration: CurlTransportConfiguration
    private let inbox: Locked<Inbox>
    private let ended = DispatchSemaphore(value: 0)
    private let multi: UnsafeMutableRawPointer
    /// Under way, by their easy handles.
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
    /// Easy handles to use again.
    private var spare: [UnsafeMutableRawPointer] = []
    /// In the order of their starts, which is that of their deadlines.
    private var firstByteDeadlines: [(deadline: ContinuousClock.Instant, transfer: Transfer)] = []
    private var batches: [ObjectIdentifier: Batch] = [:]

    private struct Batch {
        let receiver: any HTTPResultReceiver
        var results: [HTTPExchangeResult]
    }

    init(_ configuration: CurlTransportConfiguration) throws(HTTPTransportError) {
        guard globalInitialization, let multi = curl_multi_init() else {
            throw HTTPTransportError(.other, "libcurl cannot be initialized", mayHaveBeenReceived: false)
        }
        ccurl_multi_setopt_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.maximumConnectionsPerHost)
        ccurl_multi_setopt_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, configuration.maximumConnections)
        ccurl_multi_setopt_long(multi, CURLMOPT_MAXCONNECTS, configuration.maximumConnections)
        self.configuration = configuration
        self.multi = multi
        self.inbox = Locked(Inbox(multi: MultiHandle(pointer: multi)))
    }

    func start(_ exchanges: [HTTPExchange], receiver: any HTTPResultReceiver) {
        let isAccepted = inbox.withLock { inbox in
            guard !inbox.isShutDown, let multi = inbox.multi else { return false }
            inbox.waiting.append((exchanges, receiver))
            // Under the lock, so that the handle cannot be given back meanwhile.
            curl_multi_wakeup(multi.pointer)
            return true
        }
        guard !isAccepted else { return }
        receiver.receive(exchanges.map { HTTPExchangeResult(id: $0.id, result: .failure(.shutDown)) })
    }

    func shutdown() {
        let mustWait = inbox.withLock { inbox in
            guard !inbox.isShutDown else { return false }
            inbox.isShutDown = true
            if let multi = inbox.multi { curl_multi_wakeup(multi.pointer) }
            return true
        }
        if mustWait { ended.wait() }
    }

    // MARK: On its own thread

    func run() {
        while true {
            let (waiting, isShutDown) = inbox.withLock { inbox in
                defer { inbox.waiting = [] }
                return (inbox.waiting, inbox.isShutDown)
            }
            for (exchanges, receiver) in waiting {
                for exchange in exchanges { begin(exchange, receiver) }
            }
            if isShutDown { break }
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            collectEnded()
            collectLate()
            deliver()
            curl_multi_poll(multi, nil, 0, waitMilliseconds, nil)
        }
        for transfer in Array(transfers.values) {
            finish(transfer, .failure(transfer.shutDownError))
        }
        deliver()
        inbox.withLock { $0.multi = nil }
        for easy in spare { curl_easy_cleanup(easy) }
        curl_multi_cleanup(multi)
        ended.signal()
    }

    private func begin(_ exchange: HTTPExchange, _ receiver: any HTTPResultReceiver) {
        guard let easy = spare.popLast() ?? curl_easy_init() else {
            let error = HTTPTransportError(.other, "no memory left for an HTTP request", mayHaveBeenReceived: false)
            collect(HTTPExchangeResult(id: exchange.id, result: .failure(error)), for: receiver)
            return
        }
        let transfer = Transfer(exchange, receiver: receiver, easy: easy, limit: configuration.maximumResponseBytes)
        transfers[easy] = transfer
        do throws(HTTPTransportError) {
            try transfer.configure(configuration)
            let code = curl_multi_add_handle(multi, easy)
            guard code == CURLM_OK else { throw transfer.cannotBegin(String(cString: curl_multi_strerror(code))) }
            transfer.isAdded = true
            firstByteDeadlines.append((.now + configuration.firstByteTimeout, transfer))
        } catch {
            finish(transfer, .failure(error))
        }
    }

    private func collectEnded() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let transfer = transfers[message.pointee.easy_handle] else {
                continue
            }
            finish(transfer, transfer.result(of: ccurl_message_result(message)))
        }
    }

    /// Ends requests whose first byte has not come in time.
    private func collectLate() {
        let now = ContinuousClock.now
        let late = firstByteDeadlines.prefix { $0.deadline <= now }
        guard !late.isEmpty else { return }
        firstByteDeadlines.removeFirst(late.count)
        for (_, transfer) in late where !transfer.isOver && !transfer.hasAnswerBegun {
            finish(transfer, .failure(transfer.firstByteLate(configuration.firstByteTimeout)))
        }
    }

    private func finish(_ transfer: Transfer, _ result: Result<HTTPResponse, HTTPTransportError>) {
        transfers[transfer.easy] = nil
        transfer.isOver = true
        if transfer.isAdded { curl_multi_remove_handle(multi, transfer.easy) }
        transfer.releaseHeaders()
        if spare.count < configuration.maximumConnections {
            curl_easy_reset(transfer.easy)
            spare.append(transfer.easy)
        } else {
            curl_easy_cleanup(transfer.easy)
        }
        collect(HTTPExchangeResult(id: transfer.exchange.id, result: result), for: transfer.receiver)
    }

    private func collect(_ result: HTTPExchangeResult, for receiver: any HTTPResultReceiver) {
        batches[ObjectIdentifier(receiver), default: Batch(receiver: receiver, results: [])].results.append(result)
    }

    private func deliver() {
        guard !batches.isEmpty else { return }
        let ready = batches
        batches = [:]
        for batch in ready.values { batch.receiver.receive(batch.results) }
    }

    /// Until the next late first byte, at most a second; libcurl shortens it for its own timers.
    private var waitMilliseconds: Int32 {
        while let first = firstByteDeadlines.first, first.transfer.isOver || first.transfer.hasAnswerBegun {
            firstByteDeadlines.removeFirst()
        }
        guard let first = firstByteDeadlines.first else { return 1000 }
        let pause = (first.deadline - ContinuousClock.now).components
        return Int32(clamping: min(1000, max(1, pause.seconds * 1000 + pause.attoseconds / 1_000_000_000_000_000)))
    }
}

extension HTTPTransportError {
    fileprivate static let shutDown = HTTPTransportError(
        .cancelled,
        "the HTTP transport is shut down",
        mayHaveBeenReceived: false
    )
}
