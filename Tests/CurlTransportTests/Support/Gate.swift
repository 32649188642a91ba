import Dispatch

/// Closed until it is opened, then open for all.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() {
        semaphore.signal()
    }

    /// Blocks the thread until the gate is open, half a minute at most: a test that failed may never open it.
    func wait() {
        _ = semaphore.wait(timeout: .now() + 30)
        semaphore.signal()
    }
}
