import Kafka
import NewsEvents
import Publishing
import Timestamps
import Worker

/// A record of the source, copied from its fetch.
struct ReplayRecord: Sendable {
    var partition: Int32
    var offset: Int64
    var timestamp: Timestamp?
    var key: [UInt8]?
    var value: [UInt8]
    var headers: [EventHeader]
    var event: NewsEvent

    /// The partition and offset, such as `3@48120`.
    var place: String { "\(partition)@\(offset)" }

    /// The editorial act of the record. Several records may have the same act if it was written twice or redriven.
    var act: Act { Act(event) }

    /// Identifies an editorial act: one event of one source.
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
