internal import Locks

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Keeps a server's connections within its limits: ends those that waste them, for whoever comes next.
///
/// libmicrohttpd's own time-out begins anew with every byte, and at its own limit it lets nobody in. So a connection is
/// ended here where its request takes too long to come, however it trickles, and where a new one needs its place: first the
/// one that has been idle for longest, then the one whose request has been coming for longest, never one that is answered.
///
/// Ending means shutting the socket down: libmicrohttpd sees that as if the client had gone. It is done under the lock that
/// ``close(_:)`` takes before libmicrohttpd closes the socket, so the number cannot be another connection's by then.
final class OpenConnections: Sendable {
    typealias Ages = ConnectionAges<ContinuousClock.Instant>

    private let maximum: Int
    private let idleTimeout: Duration
    private let requestTimeout: Duration
    private let ages = Locked(Ages())

    /// Makes an empty set.
    ///
    /// - Parameters:
    ///   - maximum: How many there may be.
    ///   - configuration: How long they may take; zero means for ever.
    init(maximum: Int, _ configuration: HTTPServerConfiguration) {
        self.maximum = maximum
        self.idleTimeout = configuration.idleTimeout
        self.requestTimeout = configuration.requestTimeout
    }

    /// Adds a connection, and ends another where that is one too many.
    ///
    /// - Parameter socket: Open until ``close(_:)``.
    /// - Returns: Its name.
    func open(socket: Int32) -> Ages.ID {
        ages.withLock { ages in
            if ages.count >= maximum, let old = ages.dismissOldest(.idle) ?? ages.dismissOldest(.receiving) {
                shutdown(old, shutBoth)
            }
            return ages.open(socket: socket, now: .now)
        }
    }

    /// Notes what a connection is at now.
    ///
    /// - Parameters:
    ///   - id: Open, or nothing.
    ///   - phase: What it is at.
    func move(_ id: Ages.ID?, to phase: Ages.Phase) {
        guard let id else { return }
        ages.withLock { $0.move(id, to: phase, now: .now) }
    }

    /// Forgets a connection.
    ///
    /// - Parameter id: Open until now.
    func close(_ id: Ages.ID) {
        ages.withLock { $0.close(id) }
    }

    /// Ends connections that take too long, until the task is cancelled.
    func watch() async {
        let timeouts = [idleTimeout, requestTimeout].filter { $0 > .zero }
        guard let shortest = timeouts.min() else { return }
        let interval = max(.milliseconds(20), min(.seconds(1), shortest / 4))
        while !Task.isCancelled {
            // Throws when cancelled only.
            try? await Task.sleep(for: interval)
            sweep(now: .now)
        }
    }

    private func sweep(now: ContinuousClock.Instant) {
        ages.withLock { ages in
            // Zero means for ever.
            let timeouts = [(Ages.Phase.idle, idleTimeout), (.receiving, requestTimeout)].filter { $0.1 > .zero }
            for (phase, timeout) in timeouts {
                while let old = ages.dismissOldest(phase, where: { now - $0 >= timeout }) { shutdown(old, shutBoth) }
            }
        }
    }
}

#if canImport(Glibc)
private let shutBoth = Int32(SHUT_RDWR)
#else
private let shutBoth = SHUT_RDWR
#endif
