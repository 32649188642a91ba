#if canImport(Glibc)
import NewsflashOperations
import Glibc
#else
import Darwin
#endif

/// Detects that the reader of a pipe has gone, as in `newsflash tap | head`.
///
/// SIGPIPE does not end these commands, because ``InterruptSignals`` ignores it.
enum ClosedOutput {
    /// Runs some work, and cancels it when the reader of the standard output has gone.
    static func ending(_ work: @escaping @Sendable () async throws(OperationError) -> Void) async throws(OperationError)
    {
        let working = Task { () async -> OperationError? in
            do throws(OperationError) {
                try await work()
                return nil
            } catch {
                return error
            }
        }
        let watch = Task {
            await wait()
            if !Task.isCancelled { working.cancel() }
        }
        defer { watch.cancel() }
        if let error = await working.value, !working.isCancelled { throw error }
    }

    /// Waits until the reader of the standard output has gone, or the task is cancelled.
    static func wait(descriptor: Int32 = STDOUT_FILENO) async {
        while !isClosed(descriptor), (try? await Task.sleep(for: .milliseconds(200))) != nil {}
    }

    /// Whether the reader of a pipe or the peer of a socket has gone. Always false for files and connected terminals.
    static func isClosed(_ descriptor: Int32) -> Bool {
        var state = pollfd(fd: descriptor, events: 0, revents: 0)
        guard poll(&state, 1, 0) > 0 else { return false }
        return Int32(state.revents) & (POLLERR | POLLHUP | POLLNVAL) != 0
    }
}
