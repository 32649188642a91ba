internal import CMicroHTTPD
internal import Dispatch
internal import Locks
internal import Threads

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

// Unchecked, because libmicrohttpd's daemon is touched on the thread alone, and after its end.
/// The thread on which a daemon of libmicrohttpd reads, calls back and writes.
///
/// Not a thread of libmicrohttpd's own: in its epoll loop (`MHD_epoll`, version 0.9.75) a full batch of 128 events is
/// followed by another wait before the batch is served, so where exactly so many connections have something to say they
/// all wait for the next byte of anybody, or for a time-out. Here this thread waits, and libmicrohttpd only looks.
final class ServerThread: @unchecked Sendable {
    private let daemon: OpaquePointer
    private let wake: WakePipe
    private let certificates: ServerCertificates?
    private let isStopping = Locked(false)
    private let ended = DispatchSemaphore(value: 0)

    /// Starts the thread; it holds this object until it ends.
    ///
    /// - Parameters:
    ///   - daemon: Without threads; lives until after ``stop()``.
    ///   - wake: Signalled whenever a connection of the daemon was resumed.
    ///   - certificates: The certificates for handshakes of TLS.
    /// - Returns: Nothing where the system has no thread left.
    static func start(
        _ daemon: OpaquePointer,
        wake: WakePipe,
        certificates: ServerCertificates?
    ) -> ServerThread? {
        let thread = ServerThread(daemon, wake: wake, certificates: certificates)
        // The name begins as those of libmicrohttpd's own threads do.
        return startThread(named: "MHD-server") { thread.run() } ? thread : nil
    }

    private init(_ daemon: OpaquePointer, wake: WakePipe, certificates: ServerCertificates?) {
        self.certificates = certificates
        self.daemon = daemon
        self.wake = wake
    }

    /// Ends the thread and waits for that; once, and not on the thread itself.
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

    /// How long nothing has to be done, in milliseconds; negative for ever.
    private func timeout() -> Int32 {
        var timeout: UInt64 = 0
        return MHD_get_timeout(daemon, &timeout) == .YES ? Int32(clamping: timeout) : -1
    }
}
