import NewsEvents
import StrictJSON
import TestSupport
import Timestamps

/// One record to be produced.
struct PlannedRecord: Sendable {
    /// Unique, also where the record is not valid.
    var id: String
    var story: String
    var revision: Int64
    var isValid: Bool

    /// The bytes, published at an instant.
    func value(published: Timestamp) -> [UInt8] {
        let event = NewsEvent(
            id: id,
            source: "https://cms.example.org/desk",
            story: story,
            revision: revision,
            kind: .alert,
            published: published,
            categories: ["world"],
            language: "en",
            text: [EventText(language: "en", headline: "What is known of \(story) at revision \(revision)")]
        )
        let bytes = EventEncoder.encode(event)
        // Half of it: no JSON, so nothing in it can be read, and only its place tells which it was.
        return isValid ? bytes : Array(bytes[..<(bytes.count / 2)])
    }
}

/// What a newsroom produces in a test: many stories, some with several revisions, and a few records that are broken.
struct NewsPlan: Sendable {
    /// In the order they are produced; the revisions of a story in theirs.
    let records: [PlannedRecord]

    /// Makes a plan.
    ///
    /// - Parameters:
    ///   - count: How many records.
    ///   - invalid: How many of them are broken.
    ///   - seed: The same seed gives the same plan.
    init(count: Int, invalid: Int, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var placed: [(place: Int, record: PlannedRecord)] = []
        var story = 0
        while placed.count < count - invalid {
            story += 1
            let revisions = min(Self.revisions(using: &generator), count - invalid - placed.count)
            let name = "urn:example:story:\(story)"
            // Half of the stories develop within moments, so that one revision meets the next in the worker.
            let first = Int.random(in: 0..<count, using: &generator)
            let reach = Bool.random(using: &generator) ? 60 : count
            let places = (0..<revisions).map { _ in first + Int.random(in: 0..<reach, using: &generator) }.sorted()
            for (index, place) in places.enumerated() {
                let id = "story-\(story)-\(index + 1)"
                let record = PlannedRecord(id: id, story: name, revision: Int64(index + 1), isValid: true)
                placed.append((place, record))
            }
        }
        for number in 0..<invalid {
            let record = PlannedRecord(id: "broken-\(number)", story: "broken-\(number)", revision: 1, isValid: false)
            placed.append((Int.random(in: 0..<count, using: &generator), record))
        }
        // Revisions that fall on one place keep their order.
        let order = placed.indices.sorted { (placed[$0].place, $0) < (placed[$1].place, $1) }
        records = order.map { placed[$0].record }
    }

    /// Six in ten stories are told once, the others two to four times.
    private static func revisions(using generator: inout SeededGenerator) -> Int {
        switch Int.random(in: 0..<15, using: &generator) {
        case 0..<9: 1
        case 9..<12: 2
        case 12..<14: 3
        default: 4
        }
    }

    /// How many stories there are, the broken records left out.
    var storyCount: Int { Set(records.filter(\.isValid).map(\.story)).count }
}
