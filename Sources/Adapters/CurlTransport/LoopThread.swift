import CNewsflashCurl
import Glibc
import NewsflashBasics

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

/// Waits for sockets and for the wake-up, with epoll; level-triggered except for the wake-up.
final class Poller {
    /// The owner of a descriptor that is ready.
    enum Source: Equatable {
        /// The loop was woken.
        case wakeUp
        /// A socket that libcurl watches while it opens a connection.
        case opening(Int32)
        /// An open connection: its slot, and its number among all connections.
        case connection(slot: Int, number: UInt32)
    }

    /// The events that a socket is watched for, or ready for.
    struct Interest: OptionSet {
        let rawValue: UInt32

        static let reading = Interest(rawValue: EPOLLIN.rawValue)
        static let writing = Interest(rawValue: EPOLLOUT.rawValue)
    }

    private let descriptor: Int32
    private let signal: WakeSignal
    private let ready: UnsafeMutablePointer<ccurl_ready>

    /// Creates a poller; fails if the system has no descriptor left.
    init?(_ signal: WakeSignal) {
        descriptor = ccurl_poller_make()
        guard descriptor >= 0 else { return nil }
        self.signal = signal
        ready = .allocate(capacity: Int(CCURL_READY_CAPACITY))
        // Edge-triggered: each signal wakes once, and nobody has to read it.
        guard ccurl_poller_watch(descriptor, signal.descriptor, EPOLLIN.rawValue | EPOLLET.rawValue, Source.wakeUp.tag)
        else { return nil }
    }

    deinit {
        close(descriptor)
        ready.deallocate()
    }

    /// Watches a socket, or changes the events that it is watched for.
    ///
    /// - Returns: Whether the system accepted it.
    func watch(_ socket: Int32, for interest: Interest, as source: Source) -> Bool {
        ccurl_poller_watch(descriptor, socket, interest.rawValue, source.tag)
    }

    /// Changes the events that a socket is watched for.
    func change(_ socket: Int32, to interest: Interest, as source: Source) {
        _ = ccurl_poller_change(descriptor, socket, interest.rawValue, source.tag)
    }

    /// Stops watching a socket.
    func forget(_ socket: Int32) {
        ccurl_poller_forget(descriptor, socket)
    }

    /// Waits until something is ready.
    ///
    /// - Parameter milliseconds: The maximum time; zero to return at once.
    /// - Returns: The number of ready descriptors.
    func wait(milliseconds: Int32) -> Int {
        max(0, Int(ccurl_poller_wait(descriptor, ready, milliseconds)))
    }

    /// Returns one of the descriptors that the last wait found.
    ///
    /// - Parameter position: An index below their number.
    /// - Returns: Its owner and its events: an error or the end of a socket counts as all.
    func ready(_ position: Int) -> (source: Source, interest: Interest) {
        let event = ready[position]
        let isBroken = event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
        return (Source(tag: event.tag), isBroken ? [.reading, .writing] : Interest(rawValue: event.events))
    }
}

/// Wakes the thread that waits in a ``Poller``; may be used on any thread.
final class WakeSignal: Sendable {
    fileprivate let descriptor: Int32

    /// Creates a signal; fails if the system has no descriptor left.
    init?() {
        descriptor = ccurl_wake_make()
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }

    func send() {
        ccurl_wake_signal(descriptor)
    }
}

extension Poller.Source {
    private static let wakeTag = UInt64.max
    private static let openingBit: UInt64 = 1 << 63

    /// Slots have 31 bits, numbers 32, descriptors 31.
    fileprivate var tag: UInt64 {
        switch self {
        case .wakeUp: Self.wakeTag
        case .opening(let socket): Self.openingBit | UInt64(UInt32(bitPattern: socket))
        case .connection(let slot, let number): UInt64(slot & 0x7fff_ffff) << 32 | UInt64(number)
        }
    }

    fileprivate init(tag: UInt64) {
        if tag == Self.wakeTag {
            self = .wakeUp
        } else if tag & Self.openingBit != 0 {
            self = .opening(Int32(truncatingIfNeeded: tag))
        } else {
            self = .connection(slot: Int(tag >> 32), number: UInt32(truncatingIfNeeded: tag))
        }
    }
}
