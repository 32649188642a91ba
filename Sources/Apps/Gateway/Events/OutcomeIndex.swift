import StrictJSON

/// The outcomes of the most recent events, with a memory limit.
struct OutcomeIndex {
    private struct Entry {
        var record: [UInt8]
        var kind: String
    }

    /// The entries; the weight of each is the size of its record in bytes.
    private var entries: RecentEntries<String, Entry>

    init(maximumBytes: Int = 32 << 20) {
        entries = RecentEntries(capacity: maximumBytes)
    }

    /// Returns the latest record about an event.
    func record(of event: String) -> [UInt8]? { entries[event]?.record }

    /// Adds a record of the topic; invalid records are ignored.
    mutating func add(_ record: [UInt8]) {
        guard record.count <= 256 << 10, let value = try? JSONReader.read(record),
            let event = value[member: "event"]?.string, !event.isEmpty,
            let kind = value[member: "outcome"]?.string
        else { return }
        // A duplicate's outcome does not replace that of the original.
        if kind == "duplicate", let known = entries[event], known.kind != "duplicate" { return }
        entries.keep(Entry(record: record, kind: kind), for: event, weight: record.count)
    }
}
