import NewsflashKafka
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct RedrivePlanTests {
    private func letter(
        _ offset: Int64,
        reason: String = "invalid.unmapped",
        origin: (partition: Int32, offset: Int64) = (0, 0),
        redrives: Int = 0,
        isCut: Bool = false
    ) -> DeadLetterEntry {
        DeadLetterEntry(
            place: DeadLetterPosition(partition: 0, offset: offset),
            reason: reason,
            origin: RecordOrigin(
                partition: TopicPartition(topic: "news", partition: origin.partition),
                offset: origin.offset
            ),
            at: Timestamp(seconds: 1_772_442_000 + offset),
            event: "e-\(offset)",
            redrives: redrives,
            isCut: isCut
        )
    }

    private func plan(
        _ letters: [AssessedDeadLetter],
        _ criteria: DeadLetterCriteria = DeadLetterCriteria(),
        most: Int = 10
    )
        -> RedrivePlan
    {
        RedrivePlan(letters, criteria, most: most, takesQuarantined: false)
    }

    @Test func `dead letters are redriven in the order of their originals`() {
        let letters = [letter(1, origin: (1, 9)), letter(2, origin: (0, 8)), letter(3, origin: (0, 2))]
        let plan = plan(letters.map { AssessedDeadLetter(letter: $0, state: .open) })
        #expect(plan.chosen.map(\.place.offset) == [3, 2, 1])
    }

    @Test func `beyond the cap the newest dead letters are left for later`() {
        let letters = (1...5).map { AssessedDeadLetter(letter: letter($0, origin: (0, 10 - $0)), state: .open) }
        let plan = plan(letters, most: 3)
        #expect(plan.chosen.map(\.place.offset) == [3, 2, 1])
        #expect(plan.beyondCap == 2)
        #expect(plan.lines(forecasts: [:], rate: 2)[0] == "3 dead letters to send again, at 2 per second, about 2 s:")
    }

    @Test func `dead letters that would fail again are left out, and later ones take their places`() {
        let letters = (1...6).map { AssessedDeadLetter(letter: letter($0, origin: (0, 10 - $0)), state: .open) }
        var plan = plan(letters, most: 3)
        func positions(_ offsets: Int64...) -> [DeadLetterPosition: String] {
            Dictionary(uniqueKeysWithValues: offsets.map { (.init(partition: 0, offset: $0), "invalid.unmapped") })
        }
        #expect(plan.leaveOut(positions(1, 3)).map(\.place.offset) == [4, 5])
        #expect(plan.chosen.map(\.place.offset) == [5, 4, 2])
        #expect(plan.beyondCap == 1)
        #expect(plan.leaveOut(positions(4, 5)).map(\.place.offset) == [6])
        #expect(plan.leaveOut([:]).isEmpty)
        #expect(plan.chosen.map(\.place.offset) == [6, 2])
        let words = "left out: 4 would fail again with this configuration (4 invalid.unmapped); correct the cause first"
        #expect(plan.lines(forecasts: [:], rate: 2).last == words + ", or write them with --failing")
    }

    @Test func `a correction may have its audiences from its story, so a redrive does not leave it out`() throws {
        let configuration = try SampleNewsroom.configuration().configuration
        func forecast(_ kind: String) -> RedriveForecast {
            let value = """
                {"v":1,"id":"e-1","story":"urn:desk:1","revision":2,"kind":"\(kind)","published":"2026-03-02T08:00:00Z",\
                "categories":["storms"],"text":{"en":{"headline":"Bridge closed"}}}
                """
            let body = DeadLetterBody(key: nil, value: Array(value.utf8), headers: [])
            return RedriveForecast(of: body, by: configuration)
        }
        #expect(forecast("alert").label == "invalid.unmapped")
        #expect(forecast("alert").failsAgain)
        for kind in ["correction", "hold", "kill"] { #expect(!forecast(kind).failsAgain, "\(forecast(kind).label)") }
        #expect(forecast("no-such-kind").failsAgain)
    }

    @Test func `numbers of redrives are in words`() {
        let letters = [
            AssessedDeadLetter(letter: letter(1, redrives: 1), state: .open),
            AssessedDeadLetter(letter: letter(2, redrives: 2), state: .open),
            AssessedDeadLetter(letter: letter(3, redrives: 1), state: .quarantined),
        ]
        let reading = DeadLetterReader.Reading(letters: letters)
        let lines = DeadLetterList(reading, shown: letters, topic: "dead", filter: "").lines
        for ending in ["redriven 1 time before", "redriven 2 times before", "quarantined after 1 redrive"] {
            #expect(lines.contains { $0.hasSuffix(", \(ending)") }, "\(lines)")
        }
    }

    @Test func `a redriven, quarantined or incomplete dead letter is left out and counted`() {
        let copy = RedrivenCopy(partition: TopicPartition(topic: "news", partition: 0), offset: 40)
        let told = EventVerdict(.sent)
        let plan = plan([
            AssessedDeadLetter(letter: letter(1), state: .redriven(copy)),
            AssessedDeadLetter(
                letter: letter(2),
                state: .redriven(RedrivenCopy(partition: copy.partition, offset: 41, verdict: told))
            ),
            AssessedDeadLetter(letter: letter(3), state: .sentSince(Timestamp(seconds: 9))),
            AssessedDeadLetter(letter: letter(4, redrives: 3), state: .quarantined),
            AssessedDeadLetter(letter: letter(5, isCut: true), state: .open),
        ])
        #expect(plan.chosen.isEmpty)
        #expect(plan.underWay.map(\.letter.place.offset) == [1])
        let text = plan.lines(forecasts: [:], rate: 50).joined(separator: "\n")
        #expect(text.contains("done before: 2 "))
        #expect(text.contains("done otherwise: 1 "))
        #expect(text.contains("left out: 1 quarantined"))
        #expect(text.contains("left out: 0@5 is incomplete here; its original was at news[0] offset 0"))
    }

    @Test func `a dead letter that may have reached subscribers is redriven only if it is named`() {
        let letters = [AssessedDeadLetter(letter: letter(1, reason: "failed.unknown"), state: .open)]
        #expect(plan(letters).chosen.isEmpty)
        #expect(plan(letters).uncertain == 1)
        #expect(plan(letters, DeadLetterCriteria(reasons: ["failed"])).uncertain == 1)
        #expect(plan(letters, DeadLetterCriteria(reasons: ["failed.unknown"])).chosen.count == 1)
        #expect(plan(letters, DeadLetterCriteria(event: "e-1")).chosen.count == 1)
    }

    @Test func `reasons are named in full or by their first part`() {
        let letter = letter(1)
        #expect(DeadLetterCriteria(reasons: ["invalid"]).accepts(letter))
        #expect(DeadLetterCriteria(reasons: ["invalid.unmapped"]).accepts(letter))
        #expect(!DeadLetterCriteria(reasons: ["invalid.unmap"]).accepts(letter))
        #expect(!DeadLetterCriteria(reasons: ["failed"]).accepts(letter))
        #expect(!DeadLetterCriteria(story: "s").accepts(letter))
    }

    @Test func `a copy has the headers of the original, its count and its dead letter`() throws {
        var settings = try SampleNewsroom.topicSettings()
        settings.topics.deadLetters = "dead"
        let body = DeadLetterBody(
            key: [1],
            value: [2],
            headers: [
                KafkaHeader(name: "traceparent", text: "00-abc"),
                KafkaHeader(name: "newsflash-dlq-reason", text: "invalid.unmapped"),
                KafkaHeader(name: "newsflash-dlq-redrives", text: "1"),
                KafkaHeader(name: "newsflash-redrive-letter", text: "dead/0@1"),
            ]
        )
        let run = RedriveRun(settings: settings, rate: 1, reason: "category added")
        let record = run.record(of: letter(7, origin: (2, 5), redrives: 1), body)
        #expect(record.topic == "news")
        #expect(record.partition == 2)
        #expect(record.key == [1])
        #expect(record.value == [2])
        let headers = record.headers.map { "\($0.name)=\(String(decoding: $0.value ?? [], as: UTF8.self))" }
        #expect(
            headers == [
                "traceparent=00-abc", "newsflash-dlq-redrives=2", "newsflash-redrive-letter=dead/0@7",
                "newsflash-redrive-reason=category added",
            ]
        )
    }

    @Test(arguments: ["", "3", "3@", "@3", "3@-1", "-1@3", "3@4@5", "a@b", "99999999999@0"])
    func `a malformed position is refused`(text: String) {
        #expect(DeadLetterPosition(argument: text) == nil)
        #expect(DeadLetterPosition(argument: "3@4711") == DeadLetterPosition(partition: 3, offset: 4711))
    }
}

extension DeadLetterEntry {
    fileprivate init(
        place: DeadLetterPosition,
        reason: String,
        origin: RecordOrigin,
        at: Timestamp,
        event: String,
        redrives: Int,
        isCut: Bool
    ) {
        self.init(
            place: place,
            reason: reason,
            detail: nil,
            stage: "map",
            origin: origin,
            at: at,
            group: nil,
            event: event,
            story: "story-of-\(event)",
            revision: 1,
            target: nil,
            redrives: redrives,
            copyOf: nil,
            isCut: isCut
        )
    }
}
