package import NewsflashEvents
package import NewsflashKafka
package import NewsflashPublishing
import NewsflashSigning
package import NewsflashTimestamps
import NewsflashWorker

/// The records that a replay will write, and their audience.
package struct ReplayPlan: Sendable {
    /// Identifies the replay in its records.
    package var id: String
    package var reason: String
    /// The only tag to send to; `nil` for all subscribers.
    package var onlyTag: String?
    /// Whether subscribers who were notified are notified again.
    package var isAgain: Bool
    /// When the command was run.
    package var at: Timestamp
    package var topic: String
    /// The events to write, in the order of reading.
    package private(set) var entries: [ReplayFinding] = []
    /// The number of events that differ but would not be sent now.
    private(set) var untold = 0
    /// The number of records that an earlier run with this id has written.
    package private(set) var written = 0

    package init(
        id: String,
        reason: String,
        onlyTag: String? = nil,
        isAgain: Bool,
        at: Timestamp,
        topic: String,
        entries: [ReplayFinding] = [],
        untold: Int = 0,
        written: Int = 0
    ) {
        self.id = id
        self.reason = reason
        self.onlyTag = onlyTag
        self.isAgain = isAgain
        self.at = at
        self.topic = topic
        self.entries = entries
        self.untold = untold
        self.written = written
    }

    /// Adds events to the plan.
    ///
    /// - Parameters:
    ///   - findings: The findings in the order of reading.
    ///   - includesSame: Whether events that do not differ are added, too.
    package mutating func add(_ findings: [ReplayFinding], includesSame: Bool) {
        for finding in findings where includesSame || finding.difference != nil {
            if finding.wouldBeSent { entries.append(finding) } else { untold += 1 }
        }
    }

    /// Removes the events whose copies are already in the topic.
    ///
    /// - Parameter places: The positions of the originals, such as `3@48120`.
    mutating func leaveOut(_ places: Set<String>) {
        let left = entries.filter { !places.contains($0.record.place) }
        written = entries.count - left.count
        entries = left
    }

    /// The number of events that are too old to be sent to subscribers.
    package var expired: Int {
        guard onlyTag == nil, !isAgain else { return 0 }
        return entries.count { $0.forecast.presently?.outcome == .expired }
    }

    /// The records to write for a part of the entries, in order.
    package func records(_ part: ArraySlice<ReplayFinding>) -> [KafkaRecord] {
        part.map { finding in
            let record = finding.record
            let mark = ReplayMark(
                id: id,
                partition: record.partition,
                offset: record.offset,
                onlyTag: onlyTag,
                isAgain: isAgain,
                at: at
            )
            let headers = ReplayEnvelope.headers(
                around: record.value,
                record.headers,
                mark,
                story: record.event.story,
                isSecure: finding.isSecure,
                reason: reason
            )
            // The partition of the original, because its ledger partition contains the story.
            return KafkaRecord(
                topic: topic,
                partition: record.partition,
                key: record.key,
                value: nil,
                headers: headers.map { KafkaHeader(name: $0.name, value: $0.value) }
            )
        }
    }

    /// Makes an id that is the same each time the same command is run.
    ///
    /// - Parameter words: The values that identify the command.
    /// - Returns: 12 hexadecimal digits.
    package static func id(of words: [String]) -> String {
        let digits = Array("0123456789abcdef")
        let digest = SHA256Digest.hash(of: Array(words.joined(separator: "\n").utf8))
        return String((0..<12).map { digits[Int(digest[$0 / 2] >> ($0.isMultiple(of: 2) ? 4 : 0) & 15)] })
    }

    /// The plan for people.
    ///
    /// - Parameters:
    ///   - rate: The number of records per second.
    ///   - most: The maximum number of records to write; `nil` for all.
    /// - Returns: The lines to print.
    package func lines(rate: Int, most: Int?) -> [String] {
        let count = min(entries.count, most ?? .max)
        let audience =
            if let onlyTag {
                "only devices with the tag \(onlyTag), at every hub; nobody else is notified"
            } else if isAgain {
                "all subscribers of the story, also those who were notified before"
            } else {
                "subscribers who were not notified; what was sent before is a duplicate and is not sent again"
            }
        var lines = [
            "replay \(id): \(counted(count, "record")) to \(topic), \(rate) a second, about \(max(1, count / rate)) s",
            "  for \(audience)", "  because: \(reason)",
        ]
        if count < entries.count { lines.append("  \(entries.count - count) more in the next run: --most \(count)") }
        if written > 0 { lines.append("  \(written) skipped: written by an earlier run with this id") }
        if untold > 0 { lines.append("  \(untold) skipped: would not be sent now") }
        if expired > 0 { lines.append("  \(expired) too old: will end as expired") }
        lines.append("  workers older than this version skip these records, because they have no value")
        return lines
    }
}

/// A record of the source, copied from its fetch.
package struct ReplayRecord: Sendable {
    package var partition: Int32
    package var offset: Int64
    var timestamp: Timestamp?
    package var key: [UInt8]?
    package var value: [UInt8]
    package var headers: [EventHeader]
    package var event: NewsEvent

    /// The partition and offset, such as `3@48120`.
    package var place: String { "\(partition)@\(offset)" }

    /// The editorial act of the record. Several records may have the same act if it was written twice or redriven.
    package var act: Act { Act(event) }

    /// Identifies an editorial act: one event of one source.
    package struct Act: Hashable, Sendable {
        package var id: String
        package var source: String
        package var story: String
        package var revision: Int64

        package init(_ event: NewsEvent) {
            id = event.id
            source = event.source
            story = event.story
            revision = event.revision
        }

        package init(_ outcome: OutcomeRecord) {
            id = outcome.event
            source = outcome.source ?? ""
            story = outcome.story
            revision = outcome.revision
        }
    }

    /// The record for a forecast at its own time.
    var rehearsal: RehearsalRecord {
        RehearsalRecord(appendAt: timestamp, key: key, value: value, headers: headers)
    }
}

extension [ReplayRecord] {
    /// The records in the order in which a worker without lag would have read them: by time, and by offset in a partition.
    var inOrderOfReading: [ReplayRecord] {
        var latest: [Int32: Timestamp] = [:]
        let start = Timestamp(seconds: 0)
        let timed = sorted { ($0.partition, $0.offset) < ($1.partition, $1.offset) }
            .map { record in
                let time = Swift.max(latest[record.partition] ?? start, record.timestamp ?? record.event.published)
                latest[record.partition] = time
                return (time, record)
            }
        return timed.sorted { left, right in
            (left.0, left.1.partition, left.1.offset) < (right.0, right.1.partition, right.1.offset)
        }.map(\.1)
    }
}
