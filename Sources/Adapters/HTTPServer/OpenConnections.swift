internal import NewsflashBasics

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

/// The connections of a server, the phase of each, and the oldest ones of each phase.
///
/// Connections in the same phase are linked from the oldest to the youngest by array indices, so that every step takes the same
/// short time with ten thousand connections.
struct ConnectionAges<Instant: Sendable>: Sendable {
    /// The phase of a connection.
    enum Phase: Int, CaseIterable, Sendable {
        /// Between requests, or before the first line of one is complete.
        case idle
        /// From the first line of a request to the end of its body.
        case receiving
        /// A response is being prepared.
        case answering
        /// A response of a known length is being sent.
        case sending
        /// A stream is being sent.
        case streaming
        /// The connection is being closed.
        case leaving
    }

    /// Identifies a connection while it is open.
    typealias ID = Int

    private struct Entry {
        var socket: Int32
        var phase: Phase
        var since: Instant
        var older: ID?
        var younger: ID?
    }

    private struct Line {
        var oldest: ID?
        var youngest: ID?

        mutating func append(_ id: ID, in entries: inout [Entry]) {
            entries[id].older = youngest
            entries[id].younger = nil
            if let youngest { entries[youngest].younger = id }
            youngest = id
            oldest = oldest ?? id
        }

        mutating func remove(_ id: ID, in entries: inout [Entry]) {
            let entry = entries[id]
            if let older = entry.older { entries[older].younger = entry.younger } else { oldest = entry.younger }
            if let younger = entry.younger { entries[younger].older = entry.older } else { youngest = entry.older }
        }
    }

    private var entries: [Entry] = []
    private var free: [ID] = []
    /// By phase; the list of connections that are being closed stays empty.
    private var lines = Phase.allCases.map { _ in Line() }
    /// The number of connections, without those that are being closed.
    private(set) var count = 0

    /// Adds an idle connection.
    ///
    /// - Parameters:
    ///   - socket: The connection's file descriptor.
    ///   - now: The current time.
    /// - Returns: The connection's identifier.
    mutating func open(socket: Int32, now: Instant) -> ID {
        let entry = Entry(socket: socket, phase: .leaving, since: now)
        let id = free.popLast() ?? entries.count
        if id < entries.count { entries[id] = entry } else { entries.append(entry) }
        count += 1
        place(id, in: .idle, now: now)
        return id
    }

    /// Records the phase of a connection; one that is being closed keeps its phase.
    ///
    /// - Parameters:
    ///   - id: An open connection.
    ///   - phase: Any phase except ``Phase/leaving``.
    ///   - now: The current time.
    mutating func move(_ id: ID, to phase: Phase, now: Instant) {
        guard entries[id].phase != .leaving else { return }
        unlink(id)
        place(id, in: phase, now: now)
    }

    /// Forgets a connection; its identifier may be used again.
    mutating func close(_ id: ID) {
        if entries[id].phase != .leaving {
            unlink(id)
            count -= 1
        }
        entries[id].phase = .leaving
        free.append(id)
    }

    /// Marks the oldest connection of a phase as being closed, if it meets a condition.
    ///
    /// - Parameters:
    ///   - phase: Any phase except ``Phase/leaving``.
    ///   - condition: Checks the time at which the phase began.
    /// - Returns: The connection's file descriptor, or `nil`.
    mutating func dismissOldest(_ phase: Phase, where condition: (Instant) -> Bool = { _ in true }) -> Int32? {
        guard let id = lines[phase.rawValue].oldest, condition(entries[id].since) else { return nil }
        unlink(id)
        entries[id].phase = .leaving
        count -= 1
        return entries[id].socket
    }

    /// Returns the connections in a phase, oldest first.
    func connections(in phase: Phase) -> [(id: ID, socket: Int32)] {
        var found: [(id: ID, socket: Int32)] = []
        var next = lines[phase.rawValue].oldest
        while let id = next {
            found.append((id, entries[id].socket))
            next = entries[id].younger
        }
        return found
    }

    /// Returns the phase of a connection.
    func phase(of id: ID) -> Phase { entries[id].phase }

    private mutating func place(_ id: ID, in phase: Phase, now: Instant) {
        entries[id].phase = phase
        entries[id].since = now
        lines[phase.rawValue].append(id, in: &entries)
    }

    private mutating func unlink(_ id: ID) {
        lines[entries[id].phase.rawValue].remove(id, in: &entries)
    }
}
