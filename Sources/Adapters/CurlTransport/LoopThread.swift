import CCurl
import Glibc
import Locks

/// A named thread that runs one closure and is joined once.
final class LoopThread: Sendable {
    private enum State {
        case running(pthread_t)
        case ended
    }

    private let state: Locked<State>

    /// Starts the thread; fails if the system has none left.
    ///
    /// - Parameters:
    ///   - name: At most 15 bytes, the kernel's limit.
    ///   - body: The work of the thread, which ends with it.
    init?(name: String, _ body: @escaping @Sendable () -> Void) {
        let work = Unmanaged.passRetained(Work(name: name, body: body))
        var thread = pthread_t()
        let status = pthread_create(&thread, nil, { LoopThread.run($0) }, work.toOpaque())
        guard status == 0 else {
            work.release()
            return nil
        }
        self.state = Locked(.running(thread))
    }

    /// Waits until the thread has ended. Called on the thread itself, it returns at once.
    ///
    /// A second or concurrent call returns at once.
    func join() {
        guard let thread = removeThread(unlessCurrent: true) else { return }
        pthread_join(thread, nil)
    }

    deinit {
        guard let thread = removeThread(unlessCurrent: false) else { return }
        if pthread_equal(pthread_self(), thread) != 0 {
            pthread_detach(thread)
        } else {
            pthread_join(thread, nil)
        }
    }

    private func removeThread(unlessCurrent: Bool) -> pthread_t? {
        state.withLock { state -> pthread_t? in
            guard case .running(let thread) = state else { return nil }
            if unlessCurrent, pthread_equal(pthread_self(), thread) != 0 { return nil }
            state = .ended
            return thread
        }
    }

    private final class Work: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    private static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let context else { return nil }
        let work = Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
        ccurl_name_this_thread(work.name)
        work.body()
        return nil
    }
}
