internal import CNewsflashMicroHTTPD
internal import Dispatch
internal import NewsflashBasics

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

// Unchecked, because libmicrohttpd's daemon is only used on this thread, and after its end.
/// The thread on which a daemon of libmicrohttpd reads, calls back and writes.
///
/// It is not one of libmicrohttpd's own threads: in their epoll loop (`MHD_epoll`, version 0.9.75) a full batch of 128 events
/// is followed by another wait before the batch is handled. So if exactly 128 connections have events, they all wait for
/// another byte on any connection, or a time-out. Here this thread waits, and libmicrohttpd only polls.
final class ServerThread: @unchecked Sendable {
    private let daemon: OpaquePointer
    private let wake: WakePipe
    private let certificates: ServerCertificates?
    private let isStopping = Locked(false)
    private let ended = DispatchSemaphore(value: 0)

    /// Starts the thread, which keeps this object until it ends.
    ///
    /// - Parameters:
    ///   - daemon: A daemon without threads; valid until after ``stop()``.
    ///   - wake: Signalled when a connection of the daemon was resumed.
    ///   - certificates: The certificates for TLS handshakes.
    /// - Returns: `nil` if the system has no thread left.
    static func start(
        _ daemon: OpaquePointer,
        wake: WakePipe,
        certificates: ServerCertificates?
    ) -> ServerThread? {
        let thread = ServerThread(daemon, wake: wake, certificates: certificates)
        // The name has the same prefix as those of libmicrohttpd's own threads.
        return startThread(named: "MHD-server") { thread.run() } ? thread : nil
    }

    private init(_ daemon: OpaquePointer, wake: WakePipe, certificates: ServerCertificates?) {
        self.certificates = certificates
        self.daemon = daemon
        self.wake = wake
    }

    /// Ends the thread and waits for that. Call it once, and not on the thread itself.
    func stop() {
        isStopping.withLock { $0 = true }
        wake.signal()
        ended.wait()
    }

    private func run() {
        certificates?.adopt()
        var waiting = [
            pollfd(fd: cmhd_epoll_descriptor(daemon), events: Int16(POLLIN), revents: 0),
            pollfd(fd: wake.readEnd, events: Int16(POLLIN), revents: 0),
        ]
        while !isStopping.withLock({ $0 }) {
            MHD_run(daemon)
            poll(&waiting, nfds_t(waiting.count), timeout())
            if waiting[1].revents != 0 { wake.clear() }
        }
        ended.signal()
    }

    /// Returns the milliseconds until something must be done; negative for no limit.
    private func timeout() -> Int32 {
        var timeout: UInt64 = 0
        return MHD_get_timeout(daemon, &timeout) == .YES ? Int32(clamping: timeout) : -1
    }
}

/// The tasks that prepare responses, so that the server can end and wait for them.
final class TaskRegistry: Sendable {
    private struct State {
        var isClosed = false
        var next: UInt64 = 0
        var running: [UInt64: Task<Void, Never>] = [:]
    }

    private let state = Locked(State())

    /// Starts a task unless the server is stopping.
    ///
    /// - Returns: The task; `nil` if it was not started.
    func start(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never>? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            let id = state.next
            state.next += 1
            // ``finish()`` waits for it. The lock is held until it is registered, so it cannot be removed before.
            let task = Task {
                await work()
                self.remove(id)
            }
            state.running[id] = task
            return task
        }
    }

    /// Cancels all tasks and waits until they have ended.
    func finish() async {
        let running = cancelAll()
        for task in running { await task.value }
    }

    /// Cancels all tasks and prevents new ones.
    ///
    /// - Returns: The tasks that have not ended yet.
    @discardableResult
    func cancelAll() -> [Task<Void, Never>] {
        let running = state.withLock { state in
            state.isClosed = true
            return Array(state.running.values)
        }
        for task in running { task.cancel() }
        return running
    }

    private func remove(_ id: UInt64) {
        state.withLock { $0.running[id] = nil }
    }
}
