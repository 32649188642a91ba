import Dispatch

/// A gate that is closed until it is opened, and then open for all.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() {
        semaphore.signal()
    }

    /// Blocks the thread until the gate is open, at most 30 s: a failed test may never open it.
    func wait() {
        _ = semaphore.wait(timeout: .now() + 30)
        semaphore.signal()
    }
}
