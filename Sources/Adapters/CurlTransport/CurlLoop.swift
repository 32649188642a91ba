import CCurl
import HTTPTransport

/// The life of the multi handle: takes exchanges in, drives libcurl, hands results out, all on one thread.
final class CurlLoop {
    private static let maximumIdleHandles = 256

    private let multi: UnsafeMutableRawPointer
    private let configuration: CurlTransportConfiguration
    private let inbox: Inbox
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
    private var idleHandles: [EasyHandle] = []
    private var results = ResultBatches()
    /// No transfer can be overdue before.
    private var nextDeadline: ContinuousClock.Instant?

    /// Takes over a multi handle, which is freed with the loop.
    init(multi: UnsafeMutableRawPointer, configuration: CurlTransportConfiguration, inbox: Inbox) {
        self.multi = multi
        self.configuration = configuration
        self.inbox = inbox
        _ = ccurl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        _ = ccurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.maximumConnectionsPerHost)
        _ = ccurl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, configuration.maximumConnections)
        _ = ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, configuration.maximumConnections)
    }

    deinit {
        inbox.removeBell()
        idleHandles = []
        curl_multi_cleanup(multi)
    }

    /// Works until the inbox is closed; then ends what is under way.
    func run() {
        while true {
            let (commands, isClosed) = inbox.take()
            if isClosed {
                endAll(because: .shutdown)
                refuse(commands)
                results.deliver()
                return
            }
            let leaving = follow(commands)
            drive()
            cancel(leaving)
            endOverdue()
            results.deliver()
            curl_multi_poll(multi, nil, 0, millisecondsToWait(), nil)
        }
    }

    // MARK: Begin

    /// Does what was asked for, in order.
    ///
    /// - Returns: Transfers to cancel once what is there of their answers was read.
    private func follow(_ commands: [Inbox.Command]) -> [Transfer] {
        var leaving: [Transfer] = []
        for command in commands {
            switch command {
            case .start(let submission): begin(submission)
            case .cancel(let cancellation):
                let named = transfers.values.filter { cancellation.names($0) }
                // Those that nobody has seen end before libcurl can begin to write them.
                cancel(named.filter { !$0.hasSetOut })
                leaving += named.filter(\.hasSetOut)
            }
        }
        return leaving
    }

    private func begin(_ submission: Inbox.Submission) {
        let now = ContinuousClock.now
        for exchange in submission.exchanges {
            if let error = begin(exchange, receiver: submission.receiver, now: now) {
                results.add(HTTPExchangeResult(id: exchange.id, result: .failure(error)), for: submission.receiver)
            }
        }
        lookAtDeadlines(by: now + min(configuration.firstByteTimeout, configuration.requestTimeout))
    }

    private func begin(
        _ exchange: HTTPExchange,
        receiver: any HTTPResultReceiver,
        now: ContinuousClock.Instant
    ) -> HTTPTransportError? {
        if let problem = RequestCheck.problem(in: exchange.request) {
            let destination = HTTPDestination(url: exchange.request.url)
            let message = "the request to \(destination) cannot be sent: \(problem)"
            return HTTPTransportError(.invalidRequest, message, mayHaveBeenReceived: false)
        }
        guard let handle = idleHandles.popLast() ?? EasyHandle(configuration) else {
            return HTTPTransportError(.other, "libcurl gives no handle: out of memory?", mayHaveBeenReceived: false)
        }
        let transfer = Transfer(exchange, receiver: receiver, handle: handle, configuration: configuration, now: now)
        guard transfer.prepare(), curl_multi_add_handle(multi, handle.pointer) == CURLM_OK else {
            return transfer.error(for: .curl(CURLE_FAILED_INIT, detail: ""))
        }
        transfers[handle.pointer] = transfer
        return nil
    }

    // MARK: Drive

    private func drive() {
        var running: Int32 = 0
        let status = curl_multi_perform(multi, &running)
        var easy: UnsafeMutableRawPointer?
        var code = CURLE_OK
        while ccurl_next_ended(multi, &easy, &code) {
            guard let easy, let transfer = transfers[easy] else { continue }
            end(transfer, with: transfer.result(for: code))
        }
        if status != CURLM_OK {
            // Does not happen but for lack of memory; nothing that is under way can be trusted to end by itself.
            endAll(because: .curl(CURLE_OUT_OF_MEMORY, detail: ""))
        }
    }

    private func end(_ transfer: Transfer, with result: Result<HTTPResponse, HTTPTransportError>) {
        curl_multi_remove_handle(multi, transfer.handle.pointer)
        transfers[transfer.handle.pointer] = nil
        // A handle that failed is not used again: whatever state it is in goes with it.
        if case .success = result, idleHandles.count < Self.maximumIdleHandles { idleHandles.append(transfer.handle) }
        results.add(HTTPExchangeResult(id: transfer.id, result: result), for: transfer.receiver)
    }

    // MARK: Time

    private func lookAtDeadlines(by instant: ContinuousClock.Instant) {
        nextDeadline = nextDeadline.map { min($0, instant) } ?? instant
    }

    private func endOverdue() {
        guard let deadline = nextDeadline else { return }
        let now = ContinuousClock.now
        guard now >= deadline else { return }
        nextDeadline = nil
        for transfer in Array(transfers.values) {
            if let cause = transfer.overdue(at: now) {
                end(transfer, with: .failure(transfer.error(for: cause)))
            } else {
                lookAtDeadlines(by: transfer.nextDeadline(now: now))
            }
        }
    }

    /// A second at most, in case a wake-up is lost.
    private func millisecondsToWait() -> Int32 {
        guard let nextDeadline else { return 1000 }
        let left = ContinuousClock.now.duration(to: nextDeadline)
        guard left > .zero else { return 0 }
        guard left < .seconds(1) else { return 1000 }
        return Int32(left.components.attoseconds / 1_000_000_000_000_000) + 1
    }

    // MARK: End

    private func endAll(because cause: TransferFailure.Cause) {
        for transfer in Array(transfers.values) { end(transfer, with: .failure(transfer.error(for: cause))) }
    }

    /// Ends those that have not ended by themselves.
    private func cancel(_ leaving: [Transfer]) {
        for transfer in leaving where transfers[transfer.handle.pointer] === transfer {
            end(transfer, with: .failure(transfer.error(for: .cancelled)))
        }
    }

    /// Ends what came too late to begin.
    private func refuse(_ commands: [Inbox.Command]) {
        for case .start(let submission) in commands {
            for result in submission.cancelledResults { results.add(result, for: submission.receiver) }
        }
    }
}

extension Inbox.Cancellation {
    fileprivate func names(_ transfer: Transfer) -> Bool {
        transfer.receiver === receiver && ids.contains(transfer.id)
    }
}

extension Inbox.Submission {
    /// A result for each exchange, when none of them has begun.
    var cancelledResults: [HTTPExchangeResult] {
        exchanges.map { exchange in
            let message =
                "the request to \(HTTPDestination(url: exchange.request.url)) was not sent: the transport is shut down"
            let error = HTTPTransportError(.cancelled, message, mayHaveBeenReceived: false)
            return HTTPExchangeResult(id: exchange.id, result: .failure(error))
        }
    }
}
