import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions

/// The steps of events through a worker, in the order of time.
package struct EventTimeline {
    /// The outcomes of one record of the source: the provisional ones, and the final one last.
    private struct RecordOutcomes {
        var outcomes: [FoundOutcome]
    }

    private let records: [RecordOutcomes]
    private let memories: [LedgerSummary]

    /// Groups outcomes by the record that they belong to.
    ///
    /// - Parameters:
    ///   - outcomes: Oldest first.
    ///   - memories: The ledger records of the stories.
    package init(_ outcomes: [FoundOutcome], _ memories: [LedgerSummary]) {
        var records: [RecordOutcomes] = []
        var places: [RecordOrigin: Int] = [:]
        for outcome in outcomes {
            var origin = outcome.record.origin
            origin.timestamp = nil
            if let place = places[origin] {
                records[place].outcomes.append(outcome)
            } else {
                places[origin] = records.count
                records.append(RecordOutcomes(outcomes: [outcome]))
            }
        }
        self.records = records
        self.memories = memories
    }

    /// The journey for people; empty if nothing was found.
    package var lines: [String] {
        var paragraphs = records.map { lines(of: $0.outcomes.map(\.record)) }
        paragraphs += memories.map { memory in
            // Partition p of a ledger contains the stories of partition p of the source.
            let ended = records.flatMap(\.outcomes).map(\.record).filter {
                $0.isFinal && $0.origin.partition.partition == memory.partition.partition
            }
            return memory.lines(ended: Set(ended.map(\.origin.offset)))
        }
        return Array(paragraphs.joined(separator: [""]))
    }

    private func lines(of records: [OutcomeRecord]) -> [String] {
        guard let last = records.last else { return [] }
        let steps = (Self.steps(of: last) + records.map { ($0.at, OutcomeWords($0).lines) })
            // Steps in the same millisecond keep their order.
            .enumerated().sorted { ($0.element.0.milliseconds, $0.offset) < ($1.element.0.milliseconds, $1.offset) }
            .map(\.element)
        var lines = [Self.heading(of: last)]
        for (time, texts) in steps {
            lines.append("  \(time.rfc3339)  \(texts.first ?? "")")
            lines += texts.dropFirst().map { "    " + $0 }
        }
        return lines
    }

    private static func heading(of record: OutcomeRecord) -> String {
        let name = record.event.isEmpty ? "a record without a readable id" : "event \(record.event)"
        var facts = [record.kind, record.revision > 0 ? "revision \(record.revision)" : ""].filter { !$0.isEmpty }
        if !record.story.isEmpty { facts.append("story \(record.story)") }
        if let source = record.source { facts.append("from \(source)") }
        let place = "\(record.origin.partition) offset \(record.origin.offset)"
        return ([name] + facts).joined(separator: ", ") + ", at \(place)"
    }

    /// The steps before the outcome whose times are known.
    private static func steps(of record: OutcomeRecord) -> [(Timestamp, [String])] {
        let timing = record.timing
        var steps: [(Timestamp, [String])] = []
        guard let written = record.origin.timestamp else { return [] }
        guard let broker = timing.broker else { return [(written, ["written to Kafka"])] }
        let published = written - Self.length(broker)
        func add(_ milliseconds: Double?, _ text: String) {
            guard let milliseconds else { return }
            let after = OutcomeWords.length(milliseconds)
            steps.append((published + Self.length(milliseconds), ["\(text), \(after) published"]))
        }
        steps.append((published, ["published"]))
        add(broker, "written to Kafka")
        add(timing.consumed, "read by a worker")
        add(timing.firstSend, "first request sent")
        add(timing.firstAccept, "first request accepted")
        if timing.lastAccept != timing.firstAccept { add(timing.lastAccept, "last request accepted") }
        return steps
    }

    /// The milliseconds of a record, limited to about 3,000 years in both directions.
    private static func length(_ milliseconds: Double) -> Duration {
        .milliseconds(min(max(milliseconds, -1e14), 1e14))
    }
}
