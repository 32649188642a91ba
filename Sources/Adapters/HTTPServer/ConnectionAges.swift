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
