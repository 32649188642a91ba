import StrictJSON

/// What a hub does with more sends than it can find devices for.
struct HubBacklogReport {
    var registrations: Int
    var sends: Int
    /// How many sends came half an hour later.
    var later: Int
    /// How long each took to be accepted, the shortest first.
    var accepted: [Duration] = []
    /// The same half an hour later, while the oldest are given up.
    var acceptedLater: [Duration] = []
    /// How many looked for devices when all had been accepted.
    var waiting = 0
    /// How many of all ended how.
    var states: [String: Int] = [:]
    /// How the very first ended.
    var firstState = ""
    /// How many devices were found in all.
    var found = 0
    /// From the last send until none looked for devices.
    var settled = Duration.zero
    /// Of this process, in bytes: with all devices, with the backlog too, and at most.
    var before: Int?
    var withBacklog: Int?
    var peak: Int?

    /// How much more memory a backlog may take, in bytes: 64 sends that have begun hold four bytes a registration, every
    /// send its record and itself, and 100,000 deliveries are kept.
    var bound: Int { 64 * 4 * registrations + (sends + later) * 8192 + 100_000 * 1024 }

    /// Whether the backlog took no more; nothing where the system does not tell.
    var isWithinBound: Bool? {
        guard let before, let peak else { return nil }
        return peak - before <= bound
    }

    /// For people.
    var text: String {
        let outcomes = states.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        func size(_ bytes: Int?) -> String { bytes.map { (Double($0) / 1e6).fixed(1) + " MB" } ?? "unknown" }
        func times(_ times: [Duration]) -> String {
            [("p50", 0.5), ("p99", 0.99), ("at most", 1)].map { name, part in
                "\(name) \((times.value(at: part).inMicroseconds / 1000).fixed(2)) ms"
            }.joined(separator: ", ")
        }
        return """
            \(sends) sends to \(registrations) devices each, one after another over the loopback network
            accepted within       \(times(accepted))
            then looking          \(waiting) sends
            half an hour later    \(later) sends more, accepted within \(times(acceptedLater))
            all at rest           \((settled.inMicroseconds / 1e6).fixed(1)) s after the last of them
            what became of them   \(outcomes); the first is \(firstState)
            devices found         \(found)
            memory                \(size(before)) with the devices, \(size(withBacklog)) with the backlog, at most \(size(peak))
            bound                 \(size(before.map { $0 + bound })): \(size(64 * 4 * registrations)) of 64 begun sends, and \
            8 KiB a send, 1 KiB a kept delivery
            """
    }

    /// For scripts: times in microseconds, memory in bytes.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in [
            ("registrations", registrations), ("sends", sends), ("later", later), ("waiting", waiting),
            ("found", found), ("memoryBefore", before), ("memoryWithBacklog", withBacklog), ("memoryPeak", peak),
            ("memoryBound", before.map { $0 + bound }),
        ] {
            guard let value else { continue }
            writer.name(name)
            writer.value(value)
        }
        for (name, time) in [
            ("acceptMedianMicroseconds", accepted.value(at: 0.5)), ("acceptP99Microseconds", accepted.value(at: 0.99)),
            ("acceptMostMicroseconds", accepted.value(at: 1)), ("laterP99Microseconds", acceptedLater.value(at: 0.99)),
            ("laterMostMicroseconds", acceptedLater.value(at: 1)), ("settledMicroseconds", settled),
        ] {
            writer.name(name)
            writer.value(time.inMicroseconds.rounded(places: 1))
        }
        writer.name("states")
        writer.beginObject()
        for (state, count) in states.sorted(by: { $0.key < $1.key }) {
            writer.name(state)
            writer.value(count)
        }
        writer.endObject()
        writer.name("first")
        writer.value(firstState)
        writer.endObject()
        return writer.bytes
    }
}
