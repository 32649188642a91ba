import NewsflashEvents
import NewsflashGuarantees
import NewsflashHubEmulator
import NewsflashTimestamps
import NewsflashTopicPartitions
import NotificationHubs
import Testing

extension Newsroom {
    /// Expects that the records read so far fulfil all guarantees.
    ///
    /// - Parameters:
    ///   - events: All records of the source, in the order in which they were published.
    ///   - fault: The hub's fault for their requests.
    ///   - permitted: The final outcomes that an event may have; `sent` by default.
    ///   - sourceLocation: The line of the test.
    /// - Throws: `Acceptance.Unreadable` if the hub accepted a request that names no story.
    func expectGuarantees(
        of events: [NewsEvent],
        fault: HubFault? = nil,
        permitting permitted: (NewsEvent) -> Set<String> = { _ in ["sent"] },
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let findings = Findings(try evidence(of: events, fault: fault, permitting: permitted))
        for guarantee in findings.all { #expect(guarantee.isMet, "\(guarantee)", sourceLocation: sourceLocation) }
    }

    /// Collects the requests that the hub accepted and the outcomes of events.
    func evidence(
        of events: [NewsEvent],
        fault: HubFault? = nil,
        permitting permitted: (NewsEvent) -> Set<String> = { _ in ["sent"] }
    ) throws -> Evidence {
        var ends: [Int32: Int64] = [:]
        var places: [Int: RecordPosition] = [:]
        for (number, event) in events.enumerated() {
            let partition = partition(of: event.story)
            let offset = ends[partition, default: 0]
            ends[partition] = offset + 1
            places[number] = place(partition, offset)
        }
        var seen: [RecordPosition: [SeenOutcome]] = [:]
        for outcome in outcomes where outcome.isFinal {
            let place = place(Int32(clamping: outcome.partition), outcome.offset)
            let at = try #require(Timestamp(rfc3339: outcome.at))
            seen[place, default: []].append(SeenOutcome(word: outcome.outcome, at: at))
        }
        return Evidence(
            records: events.map { event in
                PlannedRecord(
                    event: event.id,
                    story: event.story,
                    revision: event.revision,
                    kind: event.kind,
                    fault: fault,
                    permitted: permitted(event)
                )
            },
            written: Dictionary(uniqueKeysWithValues: events.enumerated().map { ($0, $1.published) }),
            places: places,
            // No worker of these tests dies, so one name is enough for all.
            acceptances: try hub.pushes.map { try Acceptance($0, by: "worker") },
            outcomes: seen
        )
    }

    private func place(_ partition: Int32, _ offset: Int64) -> RecordPosition {
        RecordPosition(partition: TopicPartition(topic: names.source, partition: partition), offset: offset)
    }
}

extension HubEmulator {
    /// The texts that contain one of the hub's keys or a signature; empty if none does.
    func secretsShown(in texts: [String]) -> [String] {
        let keys = rules.map { Array($0.key.secretText.utf8) }
        let words = ["SharedAccessKey=", "SharedAccessSignature sr", "sig="]
        return NoSecretShown(of: keys, words: words, in: texts).faults
    }
}
