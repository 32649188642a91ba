import NewsflashGuarantees
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

/// The checks of times and silences; each of them must be able to fail.
@Suite(.timeLimit(.minutes(1)))
struct TimeCheckTests {
    private let start = Timestamp(seconds: 1_000_000)
    private let partitions = (0..<2).map { TopicPartition(topic: "news", partition: $0) }

    /// Returns the evidence of an event under an embargo of ten seconds and of plain ones, all in the first partition.
    ///
    /// - Parameters:
    ///   - sends: Event, worker and milliseconds from the start.
    ///   - disturbances: Kind, worker and milliseconds from the start.
    ///   - patience: The patience of the check.
    ///   - fault: The hub's fault on the event under embargo.
    /// - Returns: The evidence for a check.
    private func evidence(
        _ sends: [(String, String, Int)],
        _ disturbances: [(Disturbance.Kind, String, Int)] = [],
        _ patience: Evidence.Patience = .init(),
        fault: HubFault? = nil
    ) -> Evidence {
        var records = ["embargo", "plain", "other"].map {
            PlannedRecord(event: $0, story: $0, revision: 1, permitted: ["sent"])
        }
        records[0].embargo = .seconds(10)
        records[0].fault = fault
        return Evidence(
            records: records,
            written: [0: start, 1: start, 2: start],
            places: [
                0: RecordPosition(partition: partitions[0], offset: 0),
                1: RecordPosition(partition: partitions[0], offset: 1),
                2: RecordPosition(partition: partitions[1], offset: 0),
            ],
            acceptances: sends.map {
                Acceptance(event: $0.0, story: $0.0, revision: 1, worker: $0.1, time: start + .milliseconds($0.2))
            },
            disturbances: disturbances.map {
                Disturbance(kind: $0.0, worker: $0.1, time: start + .milliseconds($0.2))
            },
            patience: patience
        )
    }

    @Test
    func `an embargo ends at its time, not before and not much later`() {
        #expect(EmbargoMet(evidence([("embargo", "w", 10_060)])).isMet)
        #expect(EmbargoMet(evidence([("embargo", "w", 10_060)])).lateness == [.milliseconds(60)])
        #expect(EmbargoMet(evidence([("embargo", "w", 9_999)])).faults == ["embargo 1 ms before its instant"])
        #expect(EmbargoMet(evidence([("embargo", "w", 10_200)])).faults == ["embargo 200 ms after its instant, by w"])
    }

    @Test
    func `the time in which the machine was suspended does not make an embargo late`() {
        var seen = evidence([("embargo", "w", 10_200)])
        seen.pauses = [(start + .milliseconds(9000))..<(start + .milliseconds(9500))]
        #expect(!EmbargoMet(seen).isMet, "it ended long before")
        seen.pauses.append((start + .milliseconds(9950))..<(start + .milliseconds(10_150)))
        #expect(EmbargoMet(seen).lateness == [.milliseconds(50)])
    }

    @Test
    func `a dead broker excuses a late embargo until a while after it serves again`() {
        let death = (start + .milliseconds(9000))..<(start + .milliseconds(11_000))
        let late = { (time: Int) in
            var seen = evidence([("embargo", "w", time)])
            seen.outages = [death]
            return EmbargoMet(seen)
        }
        #expect(late(16_000).isMet)
        #expect(late(16_000).excused == 1)
        #expect(!late(16_200).isMet, "leaders were long chosen")
        #expect(!late(9_999).isMet, "never too early")
        var seen = evidence([("embargo", "w", 10_200)])
        seen.outages = [(start + .milliseconds(10_150))..<(start + .milliseconds(12_000))]
        #expect(!EmbargoMet(seen).isMet, "it was late before")
        seen.outages = [(start + .milliseconds(2000))..<(start + .milliseconds(4900))]
        #expect(!EmbargoMet(seen).isMet, "it ended long before")
    }

    @Test
    func `a group that is forming excuses a late embargo until a handover later`() {
        func met(_ time: Int, forming: Int) -> EmbargoMet {
            var seen = evidence([("embargo", "w", time)])
            seen.forming = start..<(start + .milliseconds(forming))
            seen.patience.handover = .seconds(3)
            return EmbargoMet(seen)
        }
        #expect(met(14_000, forming: 11_000).excused == 1)
        #expect(!met(14_100, forming: 11_000).isMet, "it had formed long before")
        #expect(!met(10_200, forming: 9_900).isMet, "at the instant it had formed")
        #expect(!met(9_900, forming: 11_000).isMet, "never too early")
    }

    @Test
    func `the death of its owner excuses a late embargo, and another death does not`() {
        var patience = Evidence.Patience()
        patience.takeover = .seconds(6)
        let sends = [("plain", "one", 8000), ("embargo", "two", 14_000)]
        #expect(EmbargoMet(evidence(sends, [(.killed, "one", 9000)], patience)).isMet)
        #expect(EmbargoMet(evidence(sends, [(.killed, "one", 9000)], patience)).excused == 1)
        #expect(!EmbargoMet(evidence(sends, [(.killed, "three", 9000)], patience)).isMet)
        #expect(!EmbargoMet(evidence(sends, [(.killed, "one", 3000)], patience)).isMet, "long owned again")
        #expect(!EmbargoMet(evidence(sends, [(.killed, "one", 11_000)], patience)).isMet, "still owned at the instant")
        let later = [("plain", "one", 8000), ("embargo", "two", 15_200)]
        #expect(!EmbargoMet(evidence(later, [(.killed, "one", 9000)], patience)).isMet, "the gap was over")
        let early = [("plain", "one", 8000), ("embargo", "two", 9_500)]
        #expect(!EmbargoMet(evidence(early, [(.killed, "one", 9000)], patience)).isMet, "never too early")
    }

    @Test
    func `the death of a worker that waits for a hub excuses a late embargo until its partitions have an owner`() {
        func met(_ time: Int, death: Int, waiting: Bool = true) -> EmbargoMet {
            var patience = Evidence.Patience()
            patience.takeover = .seconds(13)
            var seen = evidence(
                [("plain", "one", 8000), ("embargo", "two", time)],
                [(.killed, "one", death)],
                patience
            )
            if waiting {
                seen.away = [Evidence.onlyHub: [(start + .milliseconds(9500))..<(start + .milliseconds(29_500))]]
            }
            return EmbargoMet(seen)
        }
        #expect(met(32_600, death: 60_000).excused == 1, "the hub alone")
        #expect(met(38_100, death: 25_000).excused == 1, "the worker died meanwhile")
        #expect(!met(38_200, death: 25_000).isMet, "its partitions were owned long before")
        #expect(!met(38_100, death: 25_000, waiting: false).isMet, "it did not wait for the hub")
        #expect(!met(45_800, death: 32_700).isMet, "the hub was back long before")
    }

    @Test
    func `a hub that refuses the event at first excuses a late embargo, one that answers late does not`() {
        let sends = [("embargo", "w", 10_200)]
        #expect(EmbargoMet(evidence(sends, fault: .unavailable)).isMet)
        #expect(EmbargoMet(evidence(sends, fault: .unavailable)).excused == 1)
        #expect(!EmbargoMet(evidence(sends, fault: .slow)).isMet)
        #expect(!EmbargoMet(evidence([("embargo", "w", 9_999)], fault: .unavailable)).isMet, "never too early")
    }

    @Test
    func `a pause that the hub requested excuses a late embargo until the worker sends again`() {
        func met(_ time: Int, throttled: [Int], _ others: [(String, String, Int)] = [("plain", "w", 9900)])
            -> EmbargoMet
        {
            var seen = evidence((others + [("embargo", "w", time)]).sorted { $0.2 < $1.2 })
            seen.throttled = [Evidence.onlyHub: throttled.map { start + .milliseconds($0) }]
            return EmbargoMet(seen)
        }
        #expect(!met(11_000, throttled: []).isMet)
        #expect(met(11_000, throttled: [9950]).excused == 1)
        #expect(met(11_250, throttled: [9950]).excused == 1)
        #expect(!met(11_350, throttled: [9950]).isMet, "the pause was over")
        #expect(met(12_500, throttled: [9950, 11_210]).excused == 1, "another pause follows")
        #expect(!met(11_000, throttled: [8000]).isMet, "the pause was over long before")
        let busy = [("plain", "w", 9900), ("other", "w", 10_500)]
        #expect(!met(11_000, throttled: [9950], busy).isMet, "it sent something else meanwhile")
        #expect(met(10_600, throttled: [9950], busy).excused == 1)
        let others = [("plain", "w", 9900), ("other", "x", 10_500)]
        #expect(met(11_000, throttled: [9950], others).excused == 1, "another worker did not pause")
    }

    @Test
    func `a silence lasts from one acceptance of the partition to the next`() {
        let seen = evidence([("plain", "one", 1000), ("other", "two", 1500), ("embargo", "one", 10_000)])
        let silence = Silence(seen, of: partitions, from: start, to: start + .seconds(11))
        #expect(silence.gaps[partitions[0]] == .seconds(9))
        #expect(silence.gaps[partitions[1]] == .milliseconds(9500))
        #expect(silence.longest { $0 == partitions[0] } == .seconds(9))
        #expect(seen.owner(of: partitions[0], at: start + .seconds(2)) == "one")
        #expect(seen.owner(of: partitions[0], at: start) == nil)
    }
}
