import NewsflashEvents
import NewsflashStrictJSON
import NewsflashTimestamps
import Testing

@testable import NewsflashBench

@Suite(.timeLimit(.minutes(1)))
struct BenchEventsTests {
    private let events = BenchEvents(seed: 1)
    private let now = Timestamp(seconds: 1_800_000_000)

    @Test func `an event depends only on the seed and its number`() {
        #expect(events.event(7, published: now) == BenchEvents(seed: 1).event(7, published: now))
        #expect(events.event(7, published: now) != BenchEvents(seed: 2).event(7, published: now))
        #expect(events.event(7, published: now) != events.event(8, published: now))
    }

    @Test func `events are separate stories of 600 to 900 bytes, in one to three languages and all categories`()
        throws
    {
        var languages: [Int: Int] = [:]
        var kinds: [String: Int] = [:]
        var categories: Set<String> = []
        var total = 0
        for number in 0..<1000 {
            let bytes = events.event(number, published: now)
            total += bytes.count
            #expect((560...BenchEvents.largestRecord - 100).contains(bytes.count))
            let json = try JSONReader.read(bytes)
            #expect(json[member: "story"]?.string == events.story(number))
            #expect(SinkCount.eventNumber(in: Array(#"{"id":"\#(json[member: "id"]?.string ?? "")","#.utf8)) == number)
            languages[json[member: "text"]?.object?.count ?? 0, default: 0] += 1
            kinds[json[member: "kind"]?.string ?? "", default: 0] += 1
            categories.formUnion(json[member: "categories"]?.array?.compactMap(\.string) ?? [])
        }
        #expect((700...830).contains(total / 1000))
        #expect(languages.keys.sorted() == [1, 2, 3])
        #expect(languages.values.allSatisfy { $0 > 250 })
        #expect(categories.count == 10)
        #expect((kinds["update"] ?? 0) > (kinds["alert"] ?? 0))
        #expect((kinds["alert"] ?? 0) > (kinds["flash"] ?? 0))
    }

    @Test func `a worker can decode each event`() {
        for number in 0..<200 {
            let outcome = EventDecoder(defaultSource: "desk").decode(bytes: events.event(number, published: now))
            guard case .event = outcome else {
                Issue.record("\(outcome)")
                continue
            }
        }
    }

    @Test func `at a steady rate an event is due one interval after the previous one`() {
        let due = [0, 1, 3, 4, 2_000_000_000].map { BenchEvents.due($0, start: 5, rate: 3) }
        #expect(due == [5, 333_333_338, 1_000_000_005, 1_333_333_338, 666_666_666_666_666_671])
    }
}
