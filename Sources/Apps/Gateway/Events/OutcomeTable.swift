import StrictJSON

/// What became of the latest events, in bounded memory.
struct OutcomeTable {
    private struct Entry {
        var record: [UInt8]
        var kind: String
    }

    private let maximumBytes: Int
    private var young: [String: Entry] = [:]
    private var old: [String: Entry] = [:]
    private var youngBytes = 0

    init(maximumBytes: Int = 32 << 20) {
        self.maximumBytes = maximumBytes
    }

    /// The latest record on an event.
    func record(of event: String) -> [UInt8]? { (young[event] ?? old[event])?.record }

    /// Takes a record of the topic; what is none is passed over.
    mutating func take(_ record: [UInt8]) {
        guard record.count <= 256 << 10, let value = try? JSONReader.read(record),
            let event = value[member: "event"]?.string, !event.isEmpty,
            let kind = value[member: "outcome"]?.string
        else { return }
        // That the same came again says nothing of what became of it.
        if kind == "duplicate", let known = young[event] ?? old[event], known.kind != "duplicate" { return }
        youngBytes += record.count - (young[event]?.record.count ?? 0)
        young[event] = Entry(record: record, kind: kind)
        guard youngBytes >= maximumBytes / 2 else { return }
        old = young
        young = [:]
        youngBytes = 0
    }
}
