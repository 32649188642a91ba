import StrictJSON

/// What became of the latest events, in bounded memory.
struct OutcomeTable {
    private struct Entry {
        var record: [UInt8]
        var kind: String
    }

    /// Each weighs as many bytes as its record has.
    private var entries: RecentEntries<String, Entry>

    init(maximumBytes: Int = 32 << 20) {
        entries = RecentEntries(capacity: maximumBytes)
    }

    /// The latest record on an event.
    func record(of event: String) -> [UInt8]? { entries[event]?.record }

    /// Takes a record of the topic; what is none is passed over.
    mutating func take(_ record: [UInt8]) {
        guard record.count <= 256 << 10, let value = try? JSONReader.read(record),
            let event = value[member: "event"]?.string, !event.isEmpty,
            let kind = value[member: "outcome"]?.string
        else { return }
        // That the same came again says nothing of what became of it.
        if kind == "duplicate", let known = entries[event], known.kind != "duplicate" { return }
        entries.keep(Entry(record: record, kind: kind), for: event, weight: record.count)
    }
}
