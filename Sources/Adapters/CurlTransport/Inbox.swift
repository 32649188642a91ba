import CCurl
import HTTPTransport
import Locks

/// What other threads leave for the loop, with the bell that wakes it.
final class Inbox: Sendable {
    /// Exchanges that were started together.
    struct Submission: Sendable {
        let exchanges: [HTTPExchange]
        let receiver: any HTTPResultReceiver
    }

    /// Exchanges of one receiver that shall end.
    struct Cancellation: Sendable {
        let ids: Set<UInt64>
        let receiver: any HTTPResultReceiver
    }

    /// What to do next.
    enum Command: Sendable {
        case start(Submission)
        case cancel(Cancellation)
    }

    // Unchecked, because of a multi handle only `curl_multi_wakeup` may be called off its thread; that is all done here.
    private struct Bell: @unchecked Sendable {
        let multi: UnsafeMutableRawPointer
    }

    private struct State {
        var commands: [Command] = []
        var isClosed = false
        /// Gone before the handle is freed.
        var bell: Bell?

        func ring() {
            if let bell { _ = curl_multi_wakeup(bell.multi) }
        }
    }

    private let state: Locked<State>

    /// Makes an inbox that wakes the thread waiting in `curl_multi_poll` on this handle.
    init(multi: UnsafeMutableRawPointer) {
        self.state = Locked(State(bell: Bell(multi: multi)))
    }

    /// Leaves a command for the loop, which follows them in order.
    ///
    /// - Returns: False when the inbox is closed: then the exchanges are still the caller's.
    func put(_ command: Command) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            // A full inbox has been rung for already. Rung under the lock, since the handle must not be freed meanwhile.
            if state.commands.isEmpty { state.ring() }
            state.commands.append(command)
            return true
        }
    }

    /// Tells the loop to end; nothing can be put from now on.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.ring()
        }
    }

    /// Empties the inbox.
    ///
    /// - Returns: What was put since the last call, and whether the loop shall end.
    func take() -> (commands: [Command], isClosed: Bool) {
        state.withLock { state in
            let commands = state.commands
            state.commands = []
            return (commands, state.isClosed)
        }
    }

    /// Lets go of the multi handle, so that it can be freed.
    func removeBell() {
        state.withLock { $0.bell = nil }
    }
}
