import NewsflashTopicPartitions
import Testing

@testable import NewsflashKafka

@Suite(.timeLimit(.minutes(1)))
struct StartOffsetSearchTests {
    private let start = ContinuousClock.now
    private let news = (0..<3).map { TopicPartition(topic: "news", partition: $0) }
    private let refusal = StartOffsetSearch.Answer(error: KafkaError(.init(rawValue: "NOT_COORDINATOR"), "asking"))

    /// Asks for `seconds` with the same answer each time, and returns the times of questions and reports.
    private func pauses(
        _ search: inout StartOffsetSearch,
        _ answer: StartOffsetSearch.Answer,
        for seconds: Int
    ) -> (questions: [Duration], reports: [Duration]) {
        var (questions, reports): ([Duration], [Duration]) = ([], [])
        for step in 0...(seconds * 20) {
            let now = start + .milliseconds(50) * step
            guard search.question(at: now) != nil else { continue }
            questions.append(now - start)
            if search.answered(answer, at: now).report != nil { reports.append(now - start) }
        }
        return (questions, reports)
    }

    @Test
    func `pauses double up to five seconds, and refusals are reported after two, then every thirty seconds`() {
        var search = StartOffsetSearch()
        search.begin(news, at: start)
        let (questions, reports) = pauses(&search, refusal, for: 90)
        let early = [100, 200, 400, 800, 1600, 3200, 6400].map { Duration.milliseconds($0) }
        #expect(Array(questions.prefix(7)) == early)
        #expect(zip(questions.dropFirst(7), questions.dropFirst(6)).allSatisfy { $0 - $1 == .seconds(5) })
        #expect(reports.first == .milliseconds(3200))
        #expect((3...4).contains(reports.count))
        #expect(zip(reports.dropFirst(), reports).allSatisfy { $0 - $1 >= .seconds(30) })
    }

    @Test
    func `a missing right is reported at once`() {
        var search = StartOffsetSearch()
        search.begin([news[1]], at: start)
        let forbidden = StartOffsetSearch.Answer(error: KafkaError(.groupForbidden, "asking"))
        _ = search.question(at: start + .seconds(1))
        let report = search.answered(forbidden, at: start + .seconds(1)).report
        #expect(report?.partition == news[1])
        #expect(report?.message.contains("news[1] will not be read") == true)
    }

    @Test
    func `one question is open at a time, and answered partitions are not asked for again`() {
        var search = StartOffsetSearch()
        search.begin(news, at: start)
        #expect(search.question(at: start) == nil)
        #expect(search.question(at: start + .seconds(1)) == news)
        #expect(search.delay(from: start) == nil)
        #expect(search.question(at: start + .seconds(60)) == nil)
        let answer = StartOffsetSearch.Answer(offsets: [news[0]: 7, news[2]: -1])
        #expect(search.answered(answer, at: start + .seconds(61)).found == [news[0]: 7, news[2]: -1])
        #expect(search.question(at: start + .seconds(62)) == [news[1]])
    }

    @Test
    func `an answer from before a revocation does not count when the partition is assigned again`() {
        var search = StartOffsetSearch()
        search.begin(news, at: start)
        _ = search.question(at: start + .seconds(1))
        search.leave([news[0], news[1]])
        search.begin([news[0]], at: start + .seconds(2))
        let answer = StartOffsetSearch.Answer(offsets: [news[0]: 7, news[1]: 8, news[2]: 9])
        #expect(search.answered(answer, at: start + .seconds(3)).found == [news[2]: 9])
        #expect(search.question(at: start + .seconds(9)) == [news[0]])
    }

    @Test
    func `nothing is asked once all partitions are revoked`() {
        var search = StartOffsetSearch()
        search.begin(news, at: start)
        search.waitsForRule(news[2])
        search.leave(Set(news))
        #expect(search.unread.isEmpty)
        #expect(search.question(at: start + .seconds(9)) == nil)
        #expect(search.delay(from: start) == nil)
    }
}
