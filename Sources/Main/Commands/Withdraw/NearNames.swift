import Timestamps

/// The names of stories that are similar to a mistyped one: they differ in at most two characters, or one name begins with
/// the other.
struct NearNames: Sendable {
    /// The maximum number of names to show.
    static let mostShown = 5
    /// The maximum number of names to keep while a ledger is read. The oldest are dropped.
    private static let mostKept = 256
    /// The maximum number of different characters.
    private static let mostEdits = 2
    /// The minimum number of characters that two names must share if one begins with the other.
    private static let shortestBeginning = 4

    private let wanted: [UInt8]
    private var changes: [String: Timestamp] = [:]

    /// - Parameter story: The name that was not found.
    init(to story: String) {
        wanted = Self.folded(story)
    }

    /// Returns whether a name is similar to the wanted one, ignoring case. Takes linear time.
    func isNear(_ name: String) -> Bool {
        let name = Self.folded(name)
        let shorter = min(name.count, wanted.count)
        if shorter >= Self.shortestBeginning, name.starts(with: wanted) || wanted.starts(with: name) { return true }
        // With two edits, almost all short names would be similar.
        return Self.edits(from: name, to: wanted, atMost: shorter < 6 ? 1 : Self.mostEdits) != nil
    }

    /// Keeps a similar name.
    mutating func insert(_ name: String, changedAt: Timestamp) {
        changes[name] = changedAt
        guard changes.count > Self.mostKept else { return }
        let newest = changes.sorted { $0.value > $1.value }.prefix(Self.mostKept / 2)
        changes = Dictionary(newest.map { ($0.key, $0.value) }) { first, _ in first }
    }

    /// Removes a name whose ledger record was deleted.
    mutating func remove(_ name: String) {
        changes[name] = nil
    }

    /// Adds the names of another ledger.
    mutating func merge(_ other: NearNames) {
        for (name, time) in other.changes { insert(name, changedAt: max(time, changes[name] ?? time)) }
    }

    /// The names to show, the last changed first.
    var newest: [String] {
        changes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.mostShown).map(\.key)
    }

    private static func folded(_ name: String) -> [UInt8] {
        name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Returns how many bytes must be inserted, removed or replaced; `nil` if there are more than the limit.
    ///
    /// Only the cells of the table that are within the limit of its diagonal are computed.
    private static func edits(from left: [UInt8], to right: [UInt8], atMost limit: Int) -> Int? {
        guard abs(left.count - right.count) <= limit else { return nil }
        let far = limit + 1
        var row = (0...right.count).map { min($0, far) }
        for i in left.indices {
            var next = [Int](repeating: far, count: right.count + 1)
            if i + 1 <= limit { next[0] = i + 1 }
            for j in max(0, i - limit)..<max(max(0, i - limit), min(right.count, i + limit + 1)) {
                let replaced = row[j] + (left[i] == right[j] ? 0 : 1)
                next[j + 1] = min(replaced, row[j + 1] + 1, next[j] + 1, far)
            }
            row = next
        }
        return row[right.count] <= limit ? row[right.count] : nil
    }
}
