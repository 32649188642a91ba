import Kafka
import NewsEvents
import Publishing
import Timestamps
import Worker

/// A record of the source that a replay looks at, in memory of its own.
struct ReplayRecord: Sendable {
    var partition: Int32
    var offset: Int64
    var timestamp: Timestamp?
    var key: [UInt8]?
    var value: [UInt8]
    var headers: [EventHeader]
    var event: NewsEvent

    /// Where it lies, such as `3@48120`.
    var place: String { "\(partition)@\(offset)" }

    /// Which act it is a record of; its sender may have written it twice, and a redrive once more.
    var act: Act { Act(event) }

    /// Names an act: one event of one source.
    struct Act: Hashable, Sendable {
        var id: String
        var source: String
        var story: String
        var revision: Int64

        init(_ event: NewsEvent) {
            id = event.id
            source = event.source
            story = event.story
            revision = event.revision
        }

        init(_ outcome: OutcomeRecord) {
            id = outcome.event
            source = outcome.source ?? ""
            story = outcome.story
            revision = outcome.revision
        }
    }

    /// For a forecast at the time of the record.
    var rehearsal: RehearsalRecord {
        RehearsalRecord(appendAt: timestamp, key: key, value: value, headers: headers)
    }
}

extension [ReplayRecord] {
    /// In the order in which a worker that kept up would have read them: by their times, and those of a partition in theirs.
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
