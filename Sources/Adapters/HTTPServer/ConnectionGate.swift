internal import CMicroHTTPD
internal import Locks

/// The one place where a connection of libmicrohttpd is suspended and resumed.
///
/// libmicrohttpd wants each suspended connection resumed exactly once, by anyone, before the daemon stops and never after
/// the request is over. So the calls are made under the lock that knows the state: both only flip a flag and write to a
/// pipe. A gate serves one exchange; the next request on the same connection has its own.
final class ConnectionGate: Sendable {
    // Unchecked, because libmicrohttpd's own lock guards what the pointer points to.
    private struct State: @unchecked Sendable {
        /// Gone when the exchange is over.
        var connection: OpaquePointer?
        var isSuspended = false
        var isShut = false
    }

    private let state: Locked<State>
    private let wake: WakePipe

    /// Makes an open gate.
    ///
    /// - Parameters:
    ///   - connection: Lives until ``close()``.
    ///   - wake: Of the thread that serves the connection: it does not see by itself that one was resumed.
    init(_ connection: OpaquePointer, wake: WakePipe) {
        self.wake = wake
        state = Locked(State(connection: connection))
    }

    /// Takes the connection out of the event loop. Only on the thread that is in a callback for it.
    ///
    /// - Returns: False when the server is stopping: then the exchange has to end now.
    func suspend() -> Bool {
        state.withLock { state in
            guard !state.isShut, let connection = state.connection else { return false }
            MHD_suspend_connection(connection)
            state.isSuspended = true
            return true
        }
    }

    /// Lets the event loop call again, if it is waiting. On any thread, any number of times.
    func resume() {
        state.withLock { resume(&$0) }
    }

    /// Resumes and forbids suspending again: the server is stopping.
    func shut() {
        state.withLock { state in
            state.isShut = true
            resume(&state)
        }
    }

    /// Forgets the connection: the exchange is over.
    func close() {
        state.withLock { state in
            state.connection = nil
            state.isSuspended = false
        }
    }

    private func resume(_ state: inout State) {
        guard state.isSuspended, let connection = state.connection else { return }
        state.isSuspended = false
        MHD_resume_connection(connection)
        wake.signal()
    }
}
