import NewsflashStrictJSON

/// The figures of a hub that receives more sends than it can process.
struct HubBacklogReport {
    var registrations: Int
    var sends: Int
    /// The number of sends half an hour later.
    var later: Int
    /// The time to accept each send, ascending.
    var accepted: [Duration] = []
    /// The time to accept each later send, while the oldest sends expire, ascending.
    var acceptedLater: [Duration] = []
    /// The number of sends that were still looking for devices when all had been accepted.
    var waiting = 0
    /// The number of sends by final state.
    var states: [String: Int] = [:]
    /// The final state of the first send.
    var firstState = ""
    /// The number of devices found by all sends.
    var found = 0
    /// The time from the last send until no send was looking for devices.
    var settled = Duration.zero
    /// Memory of this process in bytes: with all devices; with the backlog as well; peak.
    var before: Int?
    var withBacklog: Int?
    var peak: Int?

    /// The maximum additional memory for a backlog, in bytes: four bytes per registration for each of 64 started sends, 8
    /// KiB per send for its record and the send itself, and 1 KiB for each of 100,000 kept deliveries.
    var bound: Int { 64 * 4 * registrations + (sends + later) * 8192 + 100_000 * 1024 }

    /// Whether the memory stayed within the bound; `nil` if the memory is unknown.
    var isWithinBound: Bool? {
        guard let before, let peak else { return nil }
        return peak - before <= bound
    }

    /// The report as text.
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
            still looking         \(waiting) sends
            half an hour later    \(later) sends more, accepted within \(times(acceptedLater))
            all settled           \((settled.inMicroseconds / 1e6).fixed(1)) s after the last of them
            final states          \(outcomes); the first is \(firstState)
            devices found         \(found)
            memory                \(size(before)) with the devices, \(size(withBacklog)) with the backlog, at most \(size(peak))
            bound                 \(size(before.map { $0 + bound })): \(size(64 * 4 * registrations)) for 64 started sends, \
            8 KiB per send, 1 KiB per kept delivery
            """
    }

    /// The report as JSON: times in microseconds, memory in bytes.
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
