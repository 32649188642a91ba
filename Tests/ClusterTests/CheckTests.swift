import Kafka
import Testing

/// The checks of the cluster tests, which must be able to fail.
@Suite(.timeLimit(.minutes(1)))
struct CheckTests {
    private func acceptance(_ story: String, _ revision: Int64, by worker: String = "one") -> Acceptance {
        Acceptance(event: "\(story)-\(revision)", story: story, revision: revision, worker: worker)
    }

    @Test
    func `an event that ended nowhere is lost`() {
        let check = NothingLost(
            produced: ["sent", "broken", "overtaken", "gone"],
            accepted: ["sent"],
            deadLetters: ["broken"],
            overtaken: ["overtaken"]
        )
        #expect(check.missing == ["gone"])
        #expect(!check.isMet)
        #expect(check.description == "1 lost: gone")
        #expect(NothingLost(produced: ["sent"], accepted: ["sent"], deadLetters: [], overtaken: []).isMet)
    }

    @Test
    func `an older revision after a newer one is out of order`() {
        let late = acceptance("a", 1)
        let check = OrderedPerStory([acceptance("a", 2), acceptance("b", 1), late])
        #expect(check.faults == [OrderedPerStory.Fault(late: late, after: 2)])
        #expect(!check.isMet)
        #expect(OrderedPerStory([acceptance("a", 1), acceptance("b", 7), acceptance("a", 3)]).isMet)
    }

    @Test
    func `a story told again by another worker is held to the order by itself`() {
        let first = [acceptance("a", 1), acceptance("a", 3)]
        let again = [acceptance("a", 1, by: "two"), acceptance("a", 2, by: "two"), acceptance("a", 3, by: "two")]
        let byWorker = { (acceptance: Acceptance) in acceptance.worker == "two" ? 1 : 0 }
        let check = OrderedPerStory(first + again, telling: byWorker)
        #expect(check.isMet)
        #expect(check.resurfaced == 1, "revision 2 was never heard before")
        #expect(!OrderedPerStory(first + again).isMet)
        #expect(!OrderedPerStory(first + again.reversed(), telling: byWorker).isMet)
    }

    @Test
    func `only what was accepted above the committed offset may be there twice`() {
        let partition = KafkaTopicPartition(topic: "news", partition: 0)
        let other = KafkaTopicPartition(topic: "news", partition: 1)
        let sent = [acceptance("a", 1), acceptance("b", 1), acceptance("c", 1), acceptance("d", 1, by: "two")]
        let places = [
            "a-1": RecordPlace(partition: partition, offset: 4), "b-1": RecordPlace(partition: partition, offset: 5),
            "c-1": RecordPlace(partition: other, offset: 9), "d-1": RecordPlace(partition: partition, offset: 6),
        ]
        let window = ReplayWindow(
            worker: "one",
            partitions: [partition],
            committed: [partition: 5, other: 0],
            acceptances: sent,
            places: places
        )
        #expect(window.events == ["b-1"])
        let explained = Doubles(sent + [acceptance("b", 1, by: "two")], window: window)
        #expect(explained.count == 1)
        #expect(explained.unexplained.isEmpty)
        let tooMany = Doubles(sent + [acceptance("a", 1), acceptance("b", 1), acceptance("b", 1)], window: window)
        #expect(tooMany.count == 3)
        #expect(tooMany.unexplained == ["a-1", "b-1"])
        #expect(Doubles(sent + sent).unexplained.count == 4)
    }

    @Test
    func `a partition without a commit begins at zero`() {
        let partition = KafkaTopicPartition(topic: "news", partition: 0)
        let window = ReplayWindow(
            worker: "one",
            partitions: [partition],
            committed: [:],
            acceptances: [acceptance("a", 1)],
            places: ["a-1": RecordPlace(partition: partition, offset: 0)]
        )
        #expect(window.events == ["a-1"])
    }

    @Test
    func `a plan has what was asked for and revisions in order`() {
        let plan = NewsPlan(count: 2000, invalid: 10, seed: 1)
        #expect(plan.records.count == 2000)
        #expect(plan.records.count { !$0.isValid } == 10)
        #expect(Set(plan.records.map(\.id)).count == 2000)
        #expect((1000..<1500).contains(plan.storyCount))
        let told = plan.records.map { Acceptance(event: $0.id, story: $0.story, revision: $0.revision, worker: "") }
        #expect(OrderedPerStory(told).isMet)
    }
}
