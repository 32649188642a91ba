internal import CNewsflashMicroHTTPD
internal import NewsflashBasics

/// Suspends and resumes a connection of libmicrohttpd; nothing else does.
///
/// libmicrohttpd requires that each suspended connection is resumed exactly once, on any thread, before the daemon stops and
/// never after the request has ended. So the calls are made under the lock of the state: both only set a flag and write to a
/// pipe. A gate serves one exchange; the next request on the same connection has its own.
final class ConnectionGate: Sendable {
    // Unchecked, because libmicrohttpd's own lock guards what the pointer points to.
    private struct State: @unchecked Sendable {
        /// `nil` after the exchange has ended.
        var connection: OpaquePointer?
        var isSuspended = false
        var isStopping = false
    }

    private let state: Locked<State>
    private let wake: WakePipe

    /// Creates an open gate.
    ///
    /// - Parameters:
    ///   - connection: The connection; valid until ``close()``.
    ///   - wake: Wakes the thread that serves the connection, which does not notice by itself that one was resumed.
    init(_ connection: OpaquePointer, wake: WakePipe) {
        self.wake = wake
        state = Locked(State(connection: connection))
    }

    /// Removes the connection from the event loop. Only on the thread that is in a callback for it.
    ///
    /// - Returns: False if the server is stopping: then the exchange must end now.
    func suspend() -> Bool {
        state.withLock { state in
            guard !state.isStopping, let connection = state.connection else { return false }
            MHD_suspend_connection(connection)
            state.isSuspended = true
            return true
        }
    }

    /// Returns the connection to the event loop, if it is suspended. On any thread, any number of times.
    func resume() {
        state.withLock { resume(&$0) }
    }

    /// Resumes the connection and prevents further suspensions, because the server is stopping.
    func endSuspensions() {
        state.withLock { state in
            state.isStopping = true
            resume(&state)
        }
    }

    /// Forgets the connection, because the exchange has ended.
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
