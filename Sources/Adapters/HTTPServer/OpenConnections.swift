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
/// An answer that a client takes too slowly is ended too, and the wait for one whose client has gone: libmicrohttpd does not
/// look at the socket of a connection that waits.
///
/// Ending means shutting the socket down: libmicrohttpd sees that as if the client had gone. It is done under the lock that
/// ``close(_:)`` takes before libmicrohttpd closes the socket, so the number cannot be another connection's by then.
final class OpenConnections: Sendable {
    typealias Ages = ConnectionAges<ContinuousClock.Instant>

    private let maximum: Int
    private let idleTimeout: Duration
    private let requestTimeout: Duration
    private let answerTimeout: Duration
    private let state = Locked(State())

    private struct State {
        var ages = Ages()
        /// Of the connections whose answers are made elsewhere.
        var waiting: [Ages.ID: ConnectionGate] = [:]
    }

    /// How often departed clients are looked for.
    private static let lookout = Duration.seconds(1)

    /// Makes an empty set.
    ///
    /// - Parameters:
    ///   - maximum: How many there may be.
    ///   - configuration: How long they may take; zero means for ever.
    init(maximum: Int, _ configuration: HTTPServerConfiguration) {
        self.maximum = maximum
        self.idleTimeout = configuration.idleTimeout
        self.requestTimeout = configuration.requestTimeout
        self.answerTimeout = configuration.answerTimeout
    }

    /// Adds a connection, and ends another where that is one too many.
    ///
    /// - Parameter socket: Open until ``close(_:)``.
    /// - Returns: Its name.
    func open(socket: Int32) -> Ages.ID {
        state.withLock { state in
            if state.ages.count >= maximum,
                let old = state.ages.dismissOldest(.idle) ?? state.ages.dismissOldest(.receiving)
            {
                shutdown(old, shutBoth)
            }
            return state.ages.open(socket: socket, now: .now)
        }
    }

    /// Notes what a connection is at now.
    ///
    /// - Parameters:
    ///   - id: Open, or nothing.
    ///   - phase: What it is at.
    func move(_ id: Ages.ID?, to phase: Ages.Phase) {
        guard let id else { return }
        state.withLock { state in
            state.waiting[id] = nil
            state.ages.move(id, to: phase, now: .now)
        }
    }

    /// Notes that a connection's answer is made elsewhere.
    ///
    /// - Parameters:
    ///   - id: Open, or nothing.
    ///   - gate: Opened where its client goes meanwhile; the exchange then ends without an answer.
    func wait(_ id: Ages.ID?, behind gate: ConnectionGate) {
        guard let id else { return }
        state.withLock { $0.waiting[id] = gate }
    }

    /// Forgets a connection.
    ///
    /// - Parameter id: Open until now.
    func close(_ id: Ages.ID) {
        state.withLock { state in
            state.waiting[id] = nil
            state.ages.close(id)
        }
    }

    /// Ends connections that take too long, and those whose clients have gone, until the task is cancelled.
    func watch() async {
        let timeouts = [idleTimeout, requestTimeout, answerTimeout].filter { $0 > .zero }
        let interval = max(.milliseconds(20), min(Self.lookout, (timeouts.min() ?? Self.lookout) / 4))
        var lastLookout = ContinuousClock.now
        while !Task.isCancelled {
            // Throws when cancelled only.
            try? await Task.sleep(for: interval)
            let now = ContinuousClock.now
            sweep(now: now)
            guard now - lastLookout >= Self.lookout else { continue }
            lastLookout = now
            letDepartedGo()
        }
    }

    private func sweep(now: ContinuousClock.Instant) {
        // Zero means for ever.
        let timeouts = [(Ages.Phase.idle, idleTimeout), (.receiving, requestTimeout), (.sending, answerTimeout)]
            .filter { $0.1 > .zero }
        state.withLock { state in
            for (phase, timeout) in timeouts {
                while let old = state.ages.dismissOldest(phase, where: { now - $0 >= timeout }) {
                    shutdown(old, shutBoth)
                }
            }
        }
    }

    /// Ends the wait of connections whose clients have gone.
    private func letDepartedGo() {
        let waiting = state.withLock { state in
            state.waiting.isEmpty
                ? [] : state.ages.connections(in: .answering).filter { state.waiting[$0.id] != nil }
        }
        // Outside the lock, since there may be thousands. A number may be another connection's by then: so those found are
        // looked at once more, with nobody else about.
        let suspects = departed(of: waiting)
        guard !suspects.isEmpty else { return }
        let gates = state.withLock { state in
            departed(of: suspects.filter { state.ages.phase(of: $0.id) == .answering })
                .compactMap { state.waiting.removeValue(forKey: $0.id) }
        }
        for gate in gates { gate.resume() }
    }

    private func departed(of connections: [(id: Ages.ID, socket: Int32)]) -> [(id: Ages.ID, socket: Int32)] {
        var sockets = connections.map { pollfd(fd: $0.socket, events: hungUp, revents: 0) }
        guard !sockets.isEmpty, poll(&sockets, nfds_t(sockets.count), 0) > 0 else { return [] }
        return zip(connections, sockets).filter { $0.1.revents != 0 }.map(\.0)
    }
}

#if canImport(Glibc)
private let shutBoth = Int32(SHUT_RDWR)
/// `POLLRDHUP`, which glibc has among its own extensions: the client sends no more.
private let hungUp: Int16 = 0x2000
#else
private let shutBoth = SHUT_RDWR
private let hungUp = Int16(POLLHUP)
#endif
