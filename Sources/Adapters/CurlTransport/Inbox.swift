import NewsflashBasics
import NewsflashHTTPTransport

/// The commands of other threads for the loop, with the wake-up for its thread.
final class Inbox: Sendable {
    /// Exchanges that are started together.
    struct Submission: Sendable {
        let exchanges: [HTTPExchange]
        let receiver: any HTTPResultReceiver
    }

    /// Exchanges of one receiver to cancel.
    struct Cancellation: Sendable {
        let ids: Set<UInt64>
        let receiver: any HTTPResultReceiver
    }

    /// A command for the loop.
    enum Command: Sendable {
        case start(Submission)
        case cancel(Cancellation)
        /// Existing connections to the origin of a URL must not be used for further requests.
        case renew(String)
    }

    private struct State {
        var commands: [Command] = []
        var isClosed = false
        /// Whether the loop waits and was not woken since.
        var isResting = false

        /// Returns whether to wake the loop.
        mutating func endRest() -> Bool {
            defer { isResting = false }
            return isResting
        }
    }

    private let state = Locked(State())
    private let signal: WakeSignal

    /// Creates an inbox that wakes the thread that waits for the signal.
    init(_ signal: WakeSignal) {
        self.signal = signal
    }

    /// Adds a command for the loop, which executes them in order.
    ///
    /// - Returns: False if the inbox is closed: then the exchanges still belong to the caller.
    func put(_ command: Command) -> Bool {
        let (isTaken, mustSignal) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.commands.append(command)
            return (true, state.endRest())
        }
        if mustSignal { signal.send() }
        return isTaken
    }

    /// Makes the loop end, and prevents further commands.
    func close() {
        let mustSignal = state.withLock { state in
            state.isClosed = true
            return state.endRest()
        }
        if mustSignal { signal.send() }
    }

    /// Records that the loop is about to wait, so that the next command wakes it.
    ///
    /// - Returns: Whether it may wait, because there is nothing to do.
    func rest() -> Bool {
        state.withLock { state in
            state.isResting = state.commands.isEmpty && !state.isClosed
            return state.isResting
        }
    }

    /// Empties the inbox.
    ///
    /// - Returns: The commands since the last call, and whether the loop must end.
    func dequeueAll() -> (commands: [Command], isClosed: Bool) {
        state.withLock { state in
            let commands = state.commands
            state.commands = []
            state.isResting = false
            return (commands, state.isClosed)
        }
    }
}

/// Results of one turn of the loop, by receiver.
struct ResultBatches {
    private var batches: [(receiver: any HTTPResultReceiver, results: [HTTPExchangeResult])] = []
    /// The number of results in the last batch.
    private var usualCount = 0

    /// Adds a result to the others for the same receiver.
    mutating func add(_ result: HTTPExchangeResult, for receiver: any HTTPResultReceiver) {
        // There are few receivers, usually one.
        for position in batches.indices where batches[position].receiver === receiver {
            batches[position].results.append(result)
            return
        }
        batches.append((receiver, []))
        batches[batches.count - 1].results.reserveCapacity(usualCount)
        batches[batches.count - 1].results.append(result)
    }

    /// Delivers all batches, with one call for each receiver, and is empty afterwards.
    mutating func deliver() {
        guard !batches.isEmpty else { return }
        let ready = batches
        batches.removeAll(keepingCapacity: true)
        usualCount = min(ready[0].results.count, 256)
        for batch in ready { batch.receiver.receive(batch.results) }
    }
}
