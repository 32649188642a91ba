import NewsflashEvents
import NewsflashGuarantees
import NewsflashTestSupport

/// The special kinds of stories.
enum StoryShape: CaseIterable {
    case flash
    case embargoed
    case killed
    case held
    case expired
    case repeated
    case stale
    case unreadable
    case unmapped

    /// The number of stories of the shape, as a share of all records.
    func share(of mix: NewsMix) -> Double {
        switch self {
        case .flash: mix.flash
        case .embargoed: mix.embargo
        case .killed: mix.kill
        case .held: mix.hold
        case .expired: mix.expired
        case .repeated: mix.duplicate
        case .stale: mix.stale
        case .unreadable: mix.unreadable
        case .unmapped: mix.unmapped
        }
    }
}

/// Draws random stories one after the other.
struct StoryDrawer {
    /// All records so far, with their positions in the plan.
    private(set) var placed: [(place: Int, record: PlannedRecord)] = []
    private let count: Int
    private let mix: NewsMix
    private var generator: SeededGenerator
    private var story = 0
    private var kills = 0

    init(count: Int, mix: NewsMix, seed: UInt64) {
        self.count = count
        self.mix = mix
        generator = SeededGenerator(seed: seed)
    }

    /// Adds an ordinary story, with as many revisions as fit in the plan.
    mutating func tellOrdinary() {
        let isDeveloping = Double.random(in: 0..<1, using: &generator) < mix.developing
        let wanted = isDeveloping ? mix.revisions.randomElement(using: &generator) ?? 1 : 1
        let revisions = min(wanted, count - placed.count)
        var records = (1...revisions).map { record(Int64($0), ["sent", "superseded"]) }
        records[revisions - 1].permitted = ["sent"]
        tell(records)
    }

    /// Adds a story of a shape.
    mutating func tell(_ shape: StoryShape) {
        switch shape {
        case .flash: tell([record(1, ["sent"], .flash)])
        case .embargoed: tellEmbargoed()
        case .killed:
            let (news, kill) = drawKilled()
            tell([news, kill, record(3, ["suppressed"])])
        case .held:
            tell([
                record(1, ["sent", "superseded", "suppressed"]), record(2, ["suppressed"], .hold), record(3, ["sent"]),
            ])
        case .expired:
            var late = record(1, ["expired"])
            late.expires = .seconds(-1)
            if Bool.random(using: &generator) {
                late.expires = .milliseconds(Int.random(in: 100...2000, using: &generator))
                late.permitted = ["sent", "expired"]
            }
            tell([late])
        case .repeated:
            var again = record(1, ["duplicate"])
            again.isRepeat = true
            tell([record(1, ["sent"]), again])
        case .stale:
            tell([record(2, ["sent"]), record(1, ["superseded"])])
        case .unreadable:
            var broken = record(1, ["invalid"])
            broken.form = .unreadable
            tell([broken])
        case .unmapped:
            var lost = record(1, ["invalid"])
            lost.form = .unmapped
            tell([lost])
        }
    }

    private mutating func tellEmbargoed() {
        let bounds = mix.embargoes
        let length = Int.random(in: bounds.milliseconds, using: &generator)
        var first = record(1, ["sent"])
        first.embargo = .milliseconds(length)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
            first.permitted = ["sent", "superseded"]
            tell([first, record(2, ["sent"])], isQuick: true)
        case 1:
            var (news, kill) = drawKilled()
            news.embargo = first.embargo
            kill.form = .whole
            tell([news, kill], isQuick: true)
        default: tell([first])
        }
    }

    /// News and its kill. In turns it has a higher revision, the same and a lower one.
    private mutating func drawKilled() -> (news: PlannedRecord, kill: PlannedRecord) {
        let revisions: [(news: Int64, kill: Int64)] = [(1, 2), (1, 1), (2, 1)]
        let revision = revisions[kills % revisions.count]
        kills += 1
        // The news may still be waiting or in flight, so that the kill notifies nobody. Or the kill was found ahead of
        // it.
        var kill = record(revision.kill, ["sent", "suppressed"], .kill)
        if Bool.random(using: &generator) { kill.form = .wordless }
        return (record(revision.news, ["sent", "superseded", "suppressed"]), kill)
    }

    /// A record of the next story. Its id consists of story and revision, so that a repeat has the id of the first. A
    /// kill may have the revision of its news, so it has a separate id.
    private func record(_ revision: Int64, _ permitted: Set<String>, _ kind: EventKind = .alert) -> PlannedRecord {
        PlannedRecord(
            event: "story-\(story + 1)-\(kind == .kill ? "kill" : String(revision))",
            story: "urn:example:story:\(story + 1)",
            revision: revision,
            kind: kind,
            permitted: permitted
        )
    }

    /// Adds the records of a story at random positions.
    ///
    /// - Parameters:
    ///   - records: The records in their order.
    ///   - isQuick: Whether all records follow each other closely; otherwise those of half of the stories do, so that
    ///     one record meets the next in the worker.
    private mutating func tell(_ records: [PlannedRecord], isQuick: Bool = false) {
        story += 1
        let fault = drawFault(of: records)
        let first = Int.random(in: 0..<count, using: &generator)
        let reach = isQuick || Bool.random(using: &generator) ? 60 : count
        let places = records.map { _ in first + Int.random(in: 0..<reach, using: &generator) }.sorted()
        for (place, var record) in zip(places, records) {
            record.fault = fault
            // After too many requests without an answer the event fails, and a person decides.
            if fault?.hidesTheAnswer == true, record.mayBeSent {
                record.permitted.formUnion(["failed", "partial", "unknown"])
            }
            // Eight failures in a row fail the event, which happens once in 400,000 requests. The other hub may have
            // accepted it.
            if fault == .unavailable, count > 400_000, record.mayBeSent {
                record.permitted.formUnion(["failed", "partial"])
            }
            placed.append((place, record))
        }
    }

    /// Draws the hub's fault for the story's requests.
    ///
    /// Embargoed stories have no faults, so that their times can be checked. If a record is a repeat or stale, no
    /// answer is hidden, because an event that may not have been sent would allow it to be sent.
    private mutating func drawFault(of records: [PlannedRecord]) -> HubFault? {
        var dice = Double.random(in: 0..<1, using: &generator)
        guard !records.contains(where: { $0.embargo != nil }) else { return nil }
        let news = records.filter { $0.kind != .kill }
        let isGrowing = zip(news, news.dropFirst()).allSatisfy { $0.revision < $1.revision }
        for fault in HubFault.allCases {
            let share = (mix.faults[fault] ?? 0) / HubFault.rate
            if dice < share { return isGrowing || !fault.hidesTheAnswer ? fault : nil }
            dice -= share
        }
        return nil
    }
}

extension ClosedRange<Duration> {
    fileprivate var milliseconds: ClosedRange<Int> {
        Int(lowerBound / .milliseconds(1))...Int(upperBound / .milliseconds(1))
    }
}
