/// Which connections a server has, what each is at, and which of them have kept it waiting longest.
///
/// Connections that wait for the same are linked from the oldest to the youngest by their places in an array, so that every
/// step takes the same short time with ten thousand of them.
struct ConnectionAges<Instant: Sendable>: Sendable {
    /// What a connection is at.
    enum Phase: Int, CaseIterable, Sendable {
        /// Between requests, or before the first line of one is whole.
        case idle
        /// From the first line of a request to the end of its body.
        case receiving
        /// An answer is made.
        case answering
        /// An answer of a known length is sent.
        case sending
        /// A stream is sent.
        case streaming
        /// It was told to go.
        case leaving
    }

    /// Names a connection from its opening to its closing.
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
    /// By phase; nobody is in the line of those that were told to go.
    private var lines = Phase.allCases.map { _ in Line() }
    /// How many there are, without those that were told to go.
    private(set) var count = 0

    /// Adds an idle connection.
    ///
    /// - Parameters:
    ///   - socket: Its file descriptor.
    ///   - now: The present instant.
    /// - Returns: Its name.
    mutating func open(socket: Int32, now: Instant) -> ID {
        let entry = Entry(socket: socket, phase: .leaving, since: now)
        let id = free.popLast() ?? entries.count
        if id < entries.count { entries[id] = entry } else { entries.append(entry) }
        count += 1
        place(id, in: .idle, now: now)
        return id
    }

    /// Notes what a connection is at now; one that was told to go stays so.
    ///
    /// - Parameters:
    ///   - id: Open.
    ///   - phase: Anything but ``Phase/leaving``.
    ///   - now: The present instant.
    mutating func move(_ id: ID, to phase: Phase, now: Instant) {
        guard entries[id].phase != .leaving else { return }
        unlink(id)
        place(id, in: phase, now: now)
    }

    /// Forgets a connection; its name may be given to another.
    mutating func close(_ id: ID) {
        if entries[id].phase != .leaving {
            unlink(id)
            count -= 1
        }
        entries[id].phase = .leaving
        free.append(id)
    }

    /// Chooses the connection that has been longest at something, if that fits a condition, and marks it as told to go.
    ///
    /// - Parameters:
    ///   - phase: Anything but ``Phase/leaving``.
    ///   - condition: Looks at the instant since when.
    /// - Returns: The connection's file descriptor.
    mutating func dismissOldest(_ phase: Phase, where condition: (Instant) -> Bool = { _ in true }) -> Int32? {
        guard let id = lines[phase.rawValue].oldest, condition(entries[id].since) else { return nil }
        unlink(id)
        entries[id].phase = .leaving
        count -= 1
        return entries[id].socket
    }

    /// The connections in a phase, from the oldest on.
    func connections(in phase: Phase) -> [(id: ID, socket: Int32)] {
        var found: [(id: ID, socket: Int32)] = []
        var next = lines[phase.rawValue].oldest
        while let id = next {
            found.append((id, entries[id].socket))
            next = entries[id].younger
        }
        return found
    }

    /// What a connection is at.
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
