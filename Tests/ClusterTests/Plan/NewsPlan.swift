import Guarantees
import TestSupport

/// What a newsroom produces in a test: many stories, some with several revisions, and what goes wrong in a newsroom.
///
/// Each record knows which outcomes it may have whatever happens to workers, brokers and requests on its way.
struct NewsPlan: Sendable {
    /// In the order they are produced; the records of a story in theirs.
    let records: [PlannedRecord]
    private let firsts: [String: Int]

    /// Makes a plan.
    ///
    /// - Parameters:
    ///   - count: How many records.
    ///   - mix: How many of which.
    ///   - seed: The same seed gives the same plan.
    init(count: Int, mix: NewsMix, seed: UInt64) {
        var drawer = StoryDrawer(count: count, mix: mix, seed: seed)
        for shape in StoryShape.allCases {
            for _ in 0..<Int((Double(count) * shape.share(of: mix)).rounded()) { drawer.tell(shape) }
        }
        while drawer.placed.count < count { drawer.tellOrdinary() }
        // Records that fall on one place keep their order.
        let order = drawer.placed.indices.sorted {
            (drawer.placed[$0].place, $0) < (drawer.placed[$1].place, $1)
        }
        self.init(order.map { drawer.placed[$0].record })
    }

    /// Makes a plan of given records.
    init(_ records: [PlannedRecord]) {
        self.records = records
        var firsts: [String: Int] = [:]
        // Only what is repeated is looked for.
        let repeated = Set(records.lazy.filter(\.isRepeat).map(\.event))
        for (number, record) in records.enumerated() where !record.isRepeat && repeated.contains(record.event) {
            firsts[record.event] = number
        }
        self.firsts = firsts
    }

    /// The number of the record that a repeat repeats.
    func first(_ event: String) -> Int? { firsts[event] }

    /// How many stories there are, the broken records left out.
    var storyCount: Int { Set(records.filter { !$0.isPoison }.map(\.story)).count }
}
