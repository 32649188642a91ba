internal import Locks

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Keeps a server's connections within its limits, and closes those that waste resources in favour of new ones.
///
/// libmicrohttpd's own time-out restarts with every byte, and at its own limit it accepts no connection. So this type closes a
/// connection if its request takes too long to arrive, however steadily, and if a new one needs its place: first the one that
/// has been idle longest, then the one whose request has been arriving longest, never one that is being answered. It also
/// closes a connection whose client reads a response too slowly, or has gone while it waits for a response: libmicrohttpd does
/// not check the socket of a suspended connection.
///
/// Closing means shutting the socket down: libmicrohttpd treats that as if the client had gone. It is done under the lock that
/// ``close(_:)`` takes before libmicrohttpd closes the socket, so the descriptor cannot be another connection's by then.
final class OpenConnections: Sendable {
    typealias Ages = ConnectionAges<ContinuousClock.Instant>

    private let maximum: Int
    private let idleTimeout: Duration
    private let requestTimeout: Duration
    private let answerTimeout: Duration
    private let state = Locked(State())

    private struct State {
        var ages = Ages()
        /// The gates of connections whose responses are prepared elsewhere.
        var waiting: [Ages.ID: ConnectionGate] = [:]
    }

    /// How often to check for clients that have gone.
    private static let lookout = Duration.seconds(1)

    /// Creates an empty set.
    ///
    /// - Parameters:
    ///   - maximum: The maximum number of connections.
    ///   - configuration: The time limits; zero means no limit.
    init(maximum: Int, _ configuration: HTTPServerConfiguration) {
        self.maximum = maximum
        self.idleTimeout = configuration.idleTimeout
        self.requestTimeout = configuration.requestTimeout
        self.answerTimeout = configuration.answerTimeout
    }

    /// Adds a connection, and closes another if the limit is reached.
    ///
    /// - Parameter socket: The descriptor, which stays open until ``close(_:)``.
    /// - Returns: The connection's identifier.
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

    /// Records the phase of a connection.
    ///
    /// - Parameters:
    ///   - id: An open connection, or `nil`.
    ///   - phase: The new phase.
    func move(_ id: Ages.ID?, to phase: Ages.Phase) {
        guard let id else { return }
        state.withLock { state in
            state.waiting[id] = nil
            state.ages.move(id, to: phase, now: .now)
        }
    }

    /// Records that a connection's response is prepared elsewhere.
    ///
    /// - Parameters:
    ///   - id: An open connection, or `nil`.
    ///   - gate: Resumed if its client goes meanwhile; the exchange then ends without a response.
    func wait(_ id: Ages.ID?, behind gate: ConnectionGate) {
        guard let id else { return }
        state.withLock { $0.waiting[id] = gate }
    }

    /// Forgets a connection.
    ///
    /// - Parameter id: A connection that was open until now.
    func close(_ id: Ages.ID) {
        state.withLock { state in
            state.waiting[id] = nil
            state.ages.close(id)
        }
    }

    /// Closes connections that take too long, and those whose clients have gone, until the task is cancelled.
    func watch() async {
        let timeouts = [idleTimeout, requestTimeout, answerTimeout].filter { $0 > .zero }
        let interval = max(.milliseconds(20), min(Self.lookout, (timeouts.min() ?? Self.lookout) / 4))
        var lastLookout = ContinuousClock.now
        while !Task.isCancelled {
            // Throws only if cancelled.
            try? await Task.sleep(for: interval)
            let now = ContinuousClock.now
            sweep(now: now)
            guard now - lastLookout >= Self.lookout else { continue }
            lastLookout = now
            letDepartedGo()
        }
    }

    private func sweep(now: ContinuousClock.Instant) {
        // Zero means no limit.
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
        // Checked outside the lock, because there may be thousands. A descriptor may be another connection's by then, so the
        // found ones are checked again under the lock.
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
/// `POLLRDHUP`, one of glibc's extensions: the client sends no more.
private let hungUp: Int16 = 0x2000
#else
private let shutBoth = SHUT_RDWR
private let hungUp = Int16(POLLHUP)
#endif
