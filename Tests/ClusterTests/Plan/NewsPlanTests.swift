import NewsflashEvents
import NewsflashGuarantees
import NewsflashKafka
import NewsflashTimestamps
import Testing

/// The plan that the desk of the cluster tests writes.
@Suite(.timeLimit(.minutes(1)))
struct NewsPlanTests {
    private let plan = NewsPlan(count: 20_000, mix: .mixed, seed: 1)

    @Test
    func `the same seed leads to the same plan`() {
        #expect(plan.records.map(\.event) == NewsPlan(count: 20_000, mix: .mixed, seed: 1).records.map(\.event))
        #expect(plan.records.map(\.event) != NewsPlan(count: 20_000, mix: .mixed, seed: 2).records.map(\.event))
    }

    @Test
    func `a plan has the requested shares`() {
        let records = plan.records
        #expect(records.count == 20_000)
        #expect(records.count { $0.isRepeat } == 400)
        #expect(records.count { $0.permitted == ["superseded"] } == 400)
        #expect(records.count { $0.embargo != nil } == 200)
        #expect(records.count { $0.kind == .hold } == 100)
        #expect((240..<340).contains(records.count { $0.kind == .kill }), "some of those under embargo are killed too")
        #expect(records.count { $0.isPoison } == 200)
        #expect(records.count { $0.expires != nil } == 100)
        #expect(
            (1500...2500).contains(records.count { $0.fault == .unavailable }),
            "a fifth of their requests is struck"
        )
        #expect((100...300).contains(records.count { $0.fault == .cutAfter }))
    }

    @Test
    func `each record is decoded as its planned kind`() {
        let decoder = EventDecoder(defaultSource: "desk")
        for record in NewsPlan(count: 1000, mix: .mixed, seed: 1).records {
            let value = record.value(written: Timestamp(seconds: 1_700_000_000))
            guard case .event(let event, _) = decoder.decode(bytes: value) else {
                #expect(record.form == .unreadable, "\(record)")
                continue
            }
            #expect(record.form != .unreadable)
            #expect(event.id == record.event)
            #expect(event.revision == record.revision)
        }
    }

    @Test
    func `stories are in order except for stale records, and repeats follow their first`() {
        var highest: [String: Int64] = [:]
        var seen: Set<String> = []
        for record in plan.records {
            let isStale = record.permitted == ["superseded"]
            if record.kind != .kill { #expect((record.revision < highest[record.story] ?? 0) == isStale) }
            #expect(seen.insert(record.event).inserted != record.isRepeat)
            highest[record.story] = max(record.revision, highest[record.story] ?? 0)
        }
    }

    @Test
    func `one third of the kills each has a higher, the same and a lower revision than the news before`() {
        var revisions: [String: Int64] = [:]
        var differences: [Int64: Int] = [:]
        for record in plan.records where !record.isRepeat {
            if record.kind == .kill, let news = revisions[record.story] {
                differences[record.revision - news, default: 0] += 1
            }
            revisions[record.story] = record.revision
        }
        let kills = plan.records.count { $0.kind == .kill }
        #expect(differences.keys.sorted() == [-1, 0, 1])
        #expect(differences.values.allSatisfy { $0 == kills / 3 || $0 == kills / 3 + 1 })
    }

    @Test
    func `embargoed records and repeats have no fault that would change their allowed outcomes`() {
        let faults = Dictionary(plan.records.map { ($0.story, $0.fault) }) { first, _ in first }
        for record in plan.records {
            if record.embargo != nil { #expect(record.fault == nil) }
            let isDelicate = record.isRepeat || record.permitted == ["superseded"]
            if isDelicate { #expect((faults[record.story] ?? nil)?.hidesTheAnswer != true) }
        }
    }
}
