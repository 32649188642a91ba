package import NewsflashEvents
package import NewsflashKafka
import NewsflashStrictJSON
package import NewsflashTimestamps

/// The records to write to the topic of events. All are checked before any is written.
package struct PublishPlan: Sendable {
    /// One record to be written.
    package struct Entry: Sendable, Equatable {
        /// The file and line that it comes from.
        package var place: String
        /// The event; `nil` for bytes that are written unchecked.
        package var event: NewsEvent?
        var eventID: String? { event?.id }
        package var key: [UInt8]?
        package var value: [UInt8]
    }

    package private(set) var entries: [Entry] = []
    /// The invalid records, a line each: the place and the problem, never the text of the news.
    package private(set) var refusals: [String] = []
    /// The places of events that are published further in the future than the clock skew allows. The worker refuses them.
    package private(set) var placesAhead: [String] = []

    /// Plans to write bytes without checking them.
    package init(raw records: [FileRecord], key: String?) {
        entries = records.map { record in
            Entry(place: record.place, key: key.map { Array($0.utf8) }, value: record.bytes)
        }
    }

    /// Plans to write events, with their stories as keys.
    ///
    /// - Parameters:
    ///   - records: The records from files. Invalid ones become refusals.
    ///   - headers: The headers of the records, which identify a CloudEvent.
    ///   - decoder: The worker's decoder.
    ///   - instant: The new publication time of the first event; `nil` to keep all times.
    ///   - now: The current time.
    ///   - clockSkew: How far in the future an event may be published.
    package init(
        events records: [FileRecord],
        headers: [KafkaHeader] = [],
        decoder: EventDecoder,
        movedTo instant: Timestamp? = nil,
        now: Timestamp,
        clockSkew: Duration
    ) {
        let headers = headers.map { EventHeader(name: $0.name, value: $0.value) }
        var shift: TimeShift?
        for record in records {
            switch decoder.decode(bytes: record.bytes, headers: headers) {
            case .event(let event, _):
                if shift == nil, let instant { shift = TimeShift(from: event.published, to: instant) }
                let published = event.published + (shift?.distance ?? .zero)
                if event.embargo == nil, published > now + clockSkew { placesAhead.append(record.place) }
                entries.append(
                    Entry(
                        place: record.place,
                        event: event,
                        key: Array(event.story.utf8),
                        value: shift.map { Self.moved(record.bytes, by: $0) } ?? record.bytes
                    )
                )
            case .rejected(let rejection):
                refusals.append("\(record.place): \(rejection.reason.rawValue): \(rejection.detail)")
            case .tombstone:
                refusals.append("\(record.place): has no value")
            }
        }
    }

    private static func moved(_ bytes: [UInt8], by shift: TimeShift) -> [UInt8] {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        // The bytes were decoded before, so this cannot fail.
        guard let document = try? JSONReader.read(bytes.starts(with: mark) ? Array(bytes.dropFirst(3)) : bytes) else {
            return bytes
        }
        var writer = JSONWriter(reservingCapacity: bytes.count)
        writer.value(shift.moved(document))
        return writer.bytes
    }

    /// The records for the producer. Their ids are indices in ``entries``.
    ///
    /// - Returns: The records in the order of the entries.
    package func records(to topic: String, headers: [KafkaHeader]) -> [KafkaRecord] {
        entries.enumerated().map { index, entry in
            KafkaRecord(topic: topic, key: entry.key, value: entry.value, headers: headers, id: UInt64(index))
        }
    }
}
