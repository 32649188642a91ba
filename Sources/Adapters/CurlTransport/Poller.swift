import CCurl
import Glibc

/// Waits for sockets and for the bell, with epoll; level-triggered but for the bell.
final class Poller {
    /// Whose descriptor is ready.
    enum Source: Equatable {
        /// Somebody rang.
        case bell
        /// A socket that libcurl asked to watch while it opens a connection.
        case opening(Int32)
        /// An open connection: its slot, and its number among all that had the slot.
        case connection(slot: Int, number: UInt32)
    }

    /// What a socket is watched for, or ready for.
    struct Interest: OptionSet {
        let rawValue: UInt32

        static let reading = Interest(rawValue: EPOLLIN.rawValue)
        static let writing = Interest(rawValue: EPOLLOUT.rawValue)
    }

    private let descriptor: Int32
    private let bell: Bell
    private let ready: UnsafeMutablePointer<ccurl_ready>

    /// Makes a poller; fails when the system gives no descriptor.
    init?(_ bell: Bell) {
        descriptor = ccurl_poller_make()
        guard descriptor >= 0 else { return nil }
        self.bell = bell
        ready = .allocate(capacity: Int(CCURL_READY_CAPACITY))
        // Edge-triggered: each ring wakes once, and nobody has to read.
        guard ccurl_poller_watch(descriptor, bell.descriptor, EPOLLIN.rawValue | EPOLLET.rawValue, Source.bell.tag)
        else { return nil }
    }

    deinit {
        close(descriptor)
        ready.deallocate()
    }

    /// Watches a socket, or watches it for something else from now on.
    ///
    /// - Returns: Whether the system did it.
    func watch(_ socket: Int32, for interest: Interest, as source: Source) -> Bool {
        ccurl_poller_watch(descriptor, socket, interest.rawValue, source.tag)
    }

    /// Watches a socket that is watched already for something else.
    func change(_ socket: Int32, to interest: Interest, as source: Source) {
        _ = ccurl_poller_change(descriptor, socket, interest.rawValue, source.tag)
    }

    /// Watches a socket no longer.
    func forget(_ socket: Int32) {
        ccurl_poller_forget(descriptor, socket)
    }

    /// Waits until something is ready.
    ///
    /// - Parameter milliseconds: At most so long; zero to look only.
    /// - Returns: How many are ready.
    func wait(milliseconds: Int32) -> Int {
        max(0, Int(ccurl_poller_wait(descriptor, ready, milliseconds)))
    }

    /// One of those that the last wait found.
    ///
    /// - Parameter position: Below their number.
    /// - Returns: Whose it is, and what it is ready for: an error or an end of a socket counts as all.
    func ready(_ position: Int) -> (source: Source, interest: Interest) {
        let event = ready[position]
        let isBroken = event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
        return (Source(tag: event.tag), isBroken ? [.reading, .writing] : Interest(rawValue: event.events))
    }
}

/// Wakes the thread that waits in a ``Poller``; may be rung on any thread.
final class Bell: Sendable {
    fileprivate let descriptor: Int32

    /// Makes a bell; fails when the system gives no descriptor.
    init?() {
        descriptor = ccurl_bell_make()
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }

    func ring() {
        ccurl_bell_ring(descriptor)
    }
}

extension Poller.Source {
    private static let bellTag = UInt64.max
    private static let openingBit: UInt64 = 1 << 63

    /// Slots have 31 bits, numbers 32, descriptors 31.
    fileprivate var tag: UInt64 {
        switch self {
        case .bell: Self.bellTag
        case .opening(let socket): Self.openingBit | UInt64(UInt32(bitPattern: socket))
        case .connection(let slot, let number): UInt64(slot & 0x7fff_ffff) << 32 | UInt64(number)
        }
    }

    fileprivate init(tag: UInt64) {
        if tag == Self.bellTag {
            self = .bell
        } else if tag & Self.openingBit != 0 {
            self = .opening(Int32(truncatingIfNeeded: tag))
        } else {
            self = .connection(slot: Int(tag >> 32), number: UInt32(truncatingIfNeeded: tag))
        }
    }
}
