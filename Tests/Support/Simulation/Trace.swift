import NewsflashTimestamps

/// A description of a run, one line for each thing that happened.
struct Trace {
    private(set) var lines: [String] = []
    let isOn: Bool

    mutating func add(_ text: String, at wall: Timestamp) {
        lines.append("\(Self.clock(wall)) \(text)")
    }

    /// Returns a time of day, such as `08:00:01.250`.
    static func clock(_ wall: Timestamp) -> String { String(wall.rfc3339.dropFirst(11).prefix(12)) }

    /// A short list of tags.
    static func list(_ tags: [String]) -> String {
        tags.count > 2 ? "\(tags[0]) and \(tags.count - 1) more" : tags.joined(separator: ", ")
    }
}
