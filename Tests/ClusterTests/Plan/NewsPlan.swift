import NewsflashGuarantees
import NewsflashTestSupport

/// The records that a newsroom writes in a test: many stories, some with several revisions, and typical errors.
///
/// Each record has the outcomes that are allowed whatever happens to workers, brokers and requests.
struct NewsPlan: Sendable {
    /// The records in the order of production.
    let records: [PlannedRecord]
    private let firsts: [String: Int]

    /// Generates a plan.
    ///
    /// - Parameters:
    ///   - count: The number of records.
    ///   - mix: The share of each kind.
    ///   - seed: The seed. The same seed leads to the same plan.
    init(count: Int, mix: NewsMix, seed: UInt64) {
        var drawer = StoryDrawer(count: count, mix: mix, seed: seed)
        for shape in StoryShape.allCases {
            for _ in 0..<Int((Double(count) * shape.share(of: mix)).rounded()) { drawer.tell(shape) }
        }
        while drawer.placed.count < count { drawer.tellOrdinary() }
        // Records at one position keep their order.
        let order = drawer.placed.indices.sorted {
            (drawer.placed[$0].place, $0) < (drawer.placed[$1].place, $1)
        }
        self.init(order.map { drawer.placed[$0].record })
    }

    /// Makes a plan of given records.
    init(_ records: [PlannedRecord]) {
        self.records = records
        var firsts: [String: Int] = [:]
        // Only the first records of repeats are searched.
        let repeated = Set(records.lazy.filter(\.isRepeat).map(\.event))
        for (number, record) in records.enumerated() where !record.isRepeat && repeated.contains(record.event) {
            firsts[record.event] = number
        }
        self.firsts = firsts
    }

    /// The number of the first record of an event.
    func first(_ event: String) -> Int? { firsts[event] }

    /// The number of stories, without broken records.
    var storyCount: Int { Set(records.filter { !$0.isPoison }.map(\.story)).count }
}
