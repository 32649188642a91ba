import Kafka
import NewsEvents
import StrictJSON
import Timestamps

/// What is to be written to the topic of events, checked as a whole before anything is.
struct PublishPlan: Sendable {
    /// One record to be written.
    struct Entry: Sendable, Equatable {
        /// Where it comes from.
        var place: String
        /// Nothing for bytes that are written unread.
        var event: NewsEvent?
        var eventID: String? { event?.id }
        var key: [UInt8]?
        var value: [UInt8]
    }

    private(set) var entries: [Entry] = []
    /// Records that are no event, a line each: the place and what is wrong, never the text of news.
    private(set) var refusals: [String] = []
    /// Where events lie that are published further ahead than clocks differ; the worker refuses those.
    private(set) var placesAhead: [String] = []

    /// Plans to write bytes as they are.
    ///
    /// - Parameters:
    ///   - records: From files.
    ///   - key: The key of all of them.
    init(raw records: [FileRecord], key: String?) {
        entries = records.map { record in
            Entry(place: record.place, key: key.map { Array($0.utf8) }, value: record.bytes)
        }
    }

    /// Plans to write events, with their stories as keys.
    ///
    /// - Parameters:
    ///   - records: From files; those that are no event become refusals.
    ///   - headers: What the records will carry; a CloudEvent is told by them.
    ///   - decoder: The worker's reader.
    ///   - instant: When the first event is to have been published; `nil` leaves all times as they are.
    ///   - now: The present.
    ///   - clockSkew: How far ahead of it an event may be.
    init(
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
        // It was read as an event, so it can be read again.
        guard let document = try? JSONReader.read(bytes.starts(with: mark) ? Array(bytes.dropFirst(3)) : bytes) else {
            return bytes
        }
        var writer = JSONWriter(reservingCapacity: bytes.count)
        writer.value(shift.moved(document))
        return writer.bytes
    }

    /// The records as the producer takes them; their ids are the places in ``entries``.
    ///
    /// - Parameters:
    ///   - topic: Where they go.
    ///   - headers: What all of them carry.
    /// - Returns: In the order of the entries.
    func records(to topic: String, headers: [KafkaHeader]) -> [KafkaRecord] {
        entries.enumerated().map { index, entry in
            KafkaRecord(topic: topic, key: entry.key, value: entry.value, headers: headers, id: UInt64(index))
        }
    }
}

extension KafkaHeader {
    /// Reads a header as the command line has it: `name: value`.
    ///
    /// - Parameter argument: Blanks after the colon do not count.
    init?(argument: String) {
        guard let colon = argument.firstIndex(of: ":"), colon > argument.startIndex else { return nil }
        let value = argument[argument.index(after: colon)...].drop { $0 == " " }
        self.init(name: String(argument[..<colon]), text: String(value))
    }
}
