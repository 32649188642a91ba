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
        /// Kept connections to the origin of a URL are to carry no further request.
        case renew(String)
    }

    private struct State {
        var commands: [Command] = []
        var isClosed = false
        /// Whether the loop waits and has not been rung for since.
        var isResting = false

        /// Whether to ring.
        mutating func endRest() -> Bool {
            defer { isResting = false }
            return isResting
        }
    }

    private let state = Locked(State())
    private let bell: Bell

    /// Makes an inbox that wakes whoever waits for the bell.
    init(_ bell: Bell) {
        self.bell = bell
    }

    /// Leaves a command for the loop, which follows them in order.
    ///
    /// - Returns: False when the inbox is closed: then the exchanges are still the caller's.
    func put(_ command: Command) -> Bool {
        let (isTaken, isToRing) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.commands.append(command)
            return (true, state.endRest())
        }
        if isToRing { bell.ring() }
        return isTaken
    }

    /// Tells the loop to end; nothing can be put from now on.
    func close() {
        let isToRing = state.withLock { state in
            state.isClosed = true
            return state.endRest()
        }
        if isToRing { bell.ring() }
    }

    /// Says that the loop is about to wait, so that the next command rings.
    ///
    /// - Returns: Whether it may: there is nothing to do.
    func rest() -> Bool {
        state.withLock { state in
            state.isResting = state.commands.isEmpty && !state.isClosed
            return state.isResting
        }
    }

    /// Empties the inbox.
    ///
    /// - Returns: What was put since the last call, and whether the loop shall end.
    func take() -> (commands: [Command], isClosed: Bool) {
        state.withLock { state in
            let commands = state.commands
            state.commands = []
            state.isResting = false
            return (commands, state.isClosed)
        }
    }
}
