import CNewsflashCurl
import NewsflashHTTP1
import NewsflashHTTPTransport
import NewsflashTimestamps

/// Accepts exchanges, lets libcurl open connections, uses HTTP/1.1 on them, and returns results, all on one thread.
///
/// Each turn waits for sockets or the wake-up, accepts commands, reads responses and delivers them, executes the commands,
/// writes requests, and delivers the failures of these.
final class CurlLoop {
    let configuration: CurlTransportConfiguration
    let poller: Poller
    let connector: Connector
    let agentLine: [UInt8]
    private let inbox: Inbox
    var addresses = AddressCache()
    var pool: ConnectionPool<PendingExchange>
    /// By slot.
    var connections: [Connection?] = []
    /// The connections that libcurl is opening, by their handles.
    var opening: [UnsafeMutableRawPointer: Connection] = [:]
    var connectionsMade: UInt32 = 0
    var results = ResultBatches()
    /// The buffer for heads of requests.
    var outgoing: [UInt8] = []
    /// The buffer for received bytes.
    let incoming = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
    /// When the turn began.
    var now = Instant.now
    /// The earliest time at which a request can be overdue.
    private var nextDeadline: Instant?

    /// Takes ownership of a multi handle.
    init(
        multi: UnsafeMutableRawPointer,
        poller: Poller,
        configuration: CurlTransportConfiguration,
        inbox: Inbox
    ) {
        self.configuration = configuration
        self.inbox = inbox
        self.poller = poller
        self.connector = Connector(
            multi: multi,
            poller: poller,
            maximumConnections: configuration.maximumConnections
        )
        self.agentLine = Array("User-Agent: \(configuration.userAgent)\r\n".utf8)
        self.pool = ConnectionPool(
            .init(
                perOrigin: configuration.maximumConnectionsPerHost,
                all: configuration.maximumConnections,
                idleTime: configuration.maximumIdleTime,
                age: configuration.maximumConnectionAge
            )
        )
    }

    deinit {
        incoming.deallocate()
    }

    /// Runs until the inbox is closed; then ends all exchanges.
    func run() {
        while true {
            let wait = inbox.rest() ? millisecondsToWait() : 0
            let count = poller.wait(milliseconds: wait)
            // Before responses are delivered, which takes a while: the sockets have not yet reported connections that end
            // meanwhile. Requests that arrive from now on are written only after the sockets were checked again.
            let (commands, isClosed) = inbox.dequeueAll()
            now = .now
            for position in 0..<count {
                let (source, interest) = poller.ready(position)
                handle(source, interest)
            }
            // Before anything is written, so that receivers handle the responses meanwhile.
            results.deliver()
            follow(commands)
            if isClosed {
                endAll(because: .shutdown)
                results.deliver()
                return
            }
            placeRequests()
            endOverdue()
            results.deliver()
        }
    }

    private func handle(_ source: Poller.Source, _ interest: Poller.Interest) {
        switch source {
        case .wakeUp:
            break
        case .opening(let socket):
            connector.advance(socket, interest)
            adoptConnections()
        case .connection(let slot, let number):
            // An earlier event of this turn may have closed it.
            guard let connection = connections[slot], connection.number == number else { return }
            advance(connection, interest)
        }
    }

    // MARK: Commands

    private func follow(_ commands: [Inbox.Command]) {
        for command in commands {
            switch command {
            case .start(let submission): begin(submission)
            case .cancel(let cancellation): cancel(cancellation)
            case .renew(let url): renew(url)
            }
        }
    }

    private func renew(_ url: String) {
        guard let entry = try? addresses.entry(for: url, &pool) else { return }
        for slot in pool.renew(origin: entry.origin, now: now) { closeIdle(slot) }
    }

    private func begin(_ submission: Inbox.Submission) {
        for exchange in submission.exchanges {
            do {
                try begin(exchange, submission.receiver)
            } catch {
                let destination = HTTPDestination(url: exchange.request.url)
                let message = "the request to \(destination) cannot be sent: \(error)"
                let failure = HTTPTransportError(.invalidRequest, message, mayHaveBeenReceived: false)
                results.add(HTTPExchangeResult(id: exchange.id, result: .failure(failure)), for: submission.receiver)
            }
        }
        scheduleDeadlineCheck(by: now + configuration.requestTimeout)
    }

    private func begin(_ exchange: HTTPExchange, _ receiver: any HTTPResultReceiver) throws {
        let framing = try RequestFraming(exchange.request)
        let entry = try addresses.entry(for: exchange.request.url, &pool)
        let pending = PendingExchange(
            exchange,
            for: receiver,
            to: entry,
            framing: framing,
            startedAt: now
        )
        pool.append(pending, origin: entry.origin)
    }

    private func cancel(_ cancellation: Inbox.Cancellation) {
        for case let connection? in connections {
            guard let pending = connection.pending, cancellation.names(pending) else { continue }
            endNow(connection, because: .cancelled)
        }
        for waiting in pool.removeWaiting(where: cancellation.names) { end(waiting, because: .cancelled) }
    }

    // MARK: Time

    /// Makes sure that deadlines are checked no later than at a time.
    func scheduleDeadlineCheck(by instant: Instant) {
        if let nextDeadline, nextDeadline <= instant { return }
        nextDeadline = instant
    }

    private func endOverdue() {
        guard let deadline = nextDeadline, now >= deadline else { return }
        nextDeadline = nil
        let oldest = now - configuration.requestTimeout
        for waiting in pool.removeWaiting(where: { $0.startedAt <= oldest }) { end(waiting, because: .requestTimeout) }
        pool.forEachWaiting { scheduleDeadlineCheck(by: $0.startedAt + configuration.requestTimeout) }
        for case let connection? in connections {
            guard let pending = connection.pending else { continue }
            let isWithoutAnswer = connection.parser.state == .expected
            if pending.startedAt <= oldest {
                fail(connection, because: .requestTimeout)
            } else if isWithoutAnswer, now >= connection.beganAt + configuration.firstByteTimeout {
                // The network path may be broken for all earlier connections.
                if connection.wasUsed { closeIdle(of: connection.originNumber, openedBefore: connection.beganAt) }
                fail(connection, because: .firstByteTimeout)
            } else {
                scheduleDeadlineCheck(by: pending.startedAt + configuration.requestTimeout)
                if isWithoutAnswer { scheduleDeadlineCheck(by: connection.beganAt + configuration.firstByteTimeout) }
            }
        }
        // Closed connections allow new ones.
        placeRequests()
    }

    private func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    /// Returns at most a second, in case a wake-up is lost.
    private func millisecondsToWait() -> Int32 {
        guard let next = earlier(earlier(nextDeadline, connector.nextCheck), pool.nextTry) else { return 1000 }
        let left = next - .now
        guard left > .zero else { return 0 }
        guard left < .seconds(1) else { return 1000 }
        return Int32(left.components.attoseconds / 1_000_000_000_000_000) + 1
    }

    // MARK: End

    /// Ends all exchanges, with their responses if they have already arrived, and closes all connections.
    private func endAll(because cause: TransferFailure.Cause) {
        for waiting in pool.removeWaiting(where: { _ in true }) { end(waiting, because: cause) }
        for case let connection? in connections {
            if connection.pending != nil { endNow(connection, because: cause) }
            if connections[connection.slot] === connection { close(connection) }
        }
        // Requests that a connection gave back.
        for waiting in pool.removeWaiting(where: { _ in true }) { end(waiting, because: cause) }
    }
}

extension Inbox.Cancellation {
    fileprivate func names(_ pending: PendingExchange) -> Bool {
        pending.receiver === receiver && ids.contains(pending.exchange.id)
    }
}

extension Inbox.Submission {
    /// A result for each exchange, if none of them has begun.
    var cancelledResults: [HTTPExchangeResult] {
        exchanges.map { exchange in
            let message =
                "the request to \(HTTPDestination(url: exchange.request.url)) was not sent: the transport is shut down"
            let error = HTTPTransportError(.cancelled, message, mayHaveBeenReceived: false)
            return HTTPExchangeResult(id: exchange.id, result: .failure(error))
        }
    }
}
