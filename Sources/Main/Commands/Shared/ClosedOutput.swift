#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The end of a pipe whose reader has gone, as in `newsflash tap | head`.
enum ClosedOutput {
    /// Does some work, and cancels it when nobody reads the standard output any more.
    static func ending(_ work: @escaping @Sendable () async throws(CommandError) -> Void) async throws(CommandError) {
        let working = Task { () async -> CommandError? in
            do throws(CommandError) {
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

    /// Waits until nobody reads the standard output any more, or the task is cancelled.
    static func wait(descriptor: Int32 = STDOUT_FILENO) async {
        while !isClosed(descriptor), (try? await Task.sleep(for: .milliseconds(200))) != nil {}
    }

    /// Whether the reader of a pipe or the peer of a socket has gone; never for files and terminals that are there.
    static func isClosed(_ descriptor: Int32) -> Bool {
        var state = pollfd(fd: descriptor, events: 0, revents: 0)
        guard poll(&state, 1, 0) > 0 else { return false }
        return Int32(state.revents) & (POLLERR | POLLHUP | POLLNVAL) != 0
    }
}
