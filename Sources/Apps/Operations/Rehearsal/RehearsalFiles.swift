import NewsflashEvents
import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTimestamps
package import NewsflashWorker

/// A record of a rehearsal with its place in the files.
package struct PlacedRecord: Sendable {
    /// The line number from 1, counted through all files, including blank lines.
    package var line: Int
    /// The file as given; `-` for the standard input.
    package var file: String
    /// The place for messages, such as `events.ndjson:3`.
    package var place: String
    package var record: RehearsalRecord
}

/// Reads the records of a rehearsal from files.
package enum RehearsalFiles {
    /// The members of a JSON object that describes a whole record.
    private static let parts: Set<String> = ["appendAt", "headers", "key", "value", "kafka", "source"]

    /// Reads files.
    ///
    /// - Parameters:
    ///   - names: The paths; `-` for the standard input.
    ///   - isRaw: Whether each file is the value of one record, whatever its bytes.
    /// - Returns: The records in order.
    /// - Throws: ``OperationError`` if a file cannot be read, or a whole record has an invalid part.
    package static func read(_ names: [String], isRaw: Bool) throws(OperationError) -> [PlacedRecord] {
        var records: [PlacedRecord] = []
        var before = 0
        for name in names {
            let content = try EventFiles.content(of: name)
            if isRaw {
                before += 1
                records.append(
                    PlacedRecord(line: before, file: name, place: name, record: RehearsalRecord(value: content))
                )
            } else {
                let lines = lines(of: content, named: name)
                for line in lines { records.append(try placed(line, after: before)) }
                before += lines.last?.line ?? lines.count
            }
        }
        return records
    }

    /// Parses records that ``EventFiles`` has read.
    ///
    /// - Parameter records: Events or whole records.
    /// - Returns: The records in order.
    /// - Throws: ``OperationError`` if a whole record has an invalid part.
    package static func parts(of records: [FileRecord]) throws(OperationError) -> [PlacedRecord] {
        var placed: [PlacedRecord] = []
        for record in records { placed.append(try Self.placed(record)) }
        return placed
    }

    /// Parses one record.
    ///
    /// - Parameters:
    ///   - line: An event or a whole record.
    ///   - before: The number of lines in the previous files.
    /// - Returns: The record with its place.
    /// - Throws: ``OperationError`` if a part is invalid.
    private static func placed(_ line: FileRecord, after before: Int = 0) throws(OperationError) -> PlacedRecord {
        let record = try record(line.bytes, at: line.place)
        return PlacedRecord(line: before + (line.line ?? 1), file: line.file, place: line.place, record: record)
    }

    /// Splits a file into a record for each line, or returns it as one record if it is one JSON text.
    private static func lines(of content: [UInt8], named name: String) -> [FileRecord] {
        let isWhole = !name.hasSuffix(".ndjson") && !name.hasSuffix(".jsonl") && (try? JSONReader.read(content)) != nil
        if isWhole { return [FileRecord(file: name, bytes: content)] }
        return EventFiles.lines(of: content, named: name)
    }

    /// Parses a whole record, or a command for workers; other bytes are the value of a record.
    package static func record(_ bytes: [UInt8], at place: String) throws(OperationError) -> RehearsalRecord {
        let document = try? JSONReader.read(bytes)
        if let document, let order = document[member: "control"], document[member: "v"] == nil {
            return try Self.order(order, appendAt: try instant(document[member: "appendAt"], at: place), at: place)
        }
        guard let document, let members = document.object, let value = document[member: "value"],
            members.allSatisfy({ parts.contains($0.name) })
        else { return RehearsalRecord(value: bytes) }
        let kafka = document[member: "kafka"] ?? document
        var record = RehearsalRecord(value: Self.bytes(of: value))
        record.key = kafka[member: "key"].flatMap(Self.bytes)
        record.headers = try headers(kafka[member: "headers"], at: place)
        record.appendAt = try instant(document[member: "appendAt"], at: place)
        if let source = document[member: "source"] {
            guard let name = source.string else {
                throw OperationError(.badData, "\(place): source must be the name of a source in the configuration")
            }
            record.source = name
        }
        return record
    }

    private static func instant(_ value: JSONValue?, at place: String) throws(OperationError) -> Timestamp? {
        guard let value else { return nil }
        guard let text = value.string, let instant = Timestamp(rfc3339: text) else {
            throw OperationError(.badData, "\(place): appendAt must be a time such as 2026-03-02T08:00:00Z")
        }
        return instant
    }

    /// Parses an order: `act`, `source`, `topic` or `event` (none for all), `by` and `reason`. An event is an identifier.
    private static func order(
        _ order: JSONValue,
        appendAt: Timestamp?,
        at place: String
    ) throws(OperationError) -> RehearsalRecord {
        guard let act = order[member: "act"]?.string.flatMap(ControlRecord.Act.init) else {
            throw OperationError(.badData, "\(place): the control's act must be pause or resume")
        }
        let scopes = [
            order[member: "topic"]?.string.map(PauseScope.topic),
            order[member: "source"]?.string.map(PauseScope.source),
        ]
        let scope = scopes.compactMap(\.self).first ?? .all
        guard order[member: "story"] == nil else {
            throw OperationError(.badData, "\(place): a control has no story; write the event that is resumed")
        }
        var record = RehearsalRecord(appendAt: appendAt, value: nil)
        record.resumedEvent = order[member: "event"]?.string
        guard record.resumedEvent == nil || act == .resume else {
            throw OperationError(.badData, "\(place): only a resume has an event")
        }
        record.order = ControlRecord(
            act,
            scope,
            by: .person(order[member: "by"]?.string ?? "rehearsal"),
            reason: order[member: "reason"]?.string ?? "",
            at: appendAt ?? Timestamp(seconds: 0)
        )
        return record
    }

    /// The bytes of a string, or another value as compact JSON; `nil` for null.
    private static func bytes(of value: JSONValue) -> [UInt8]? {
        switch value {
        case .null: return nil
        case .string(let text): return BytesText.bytes(of: text)
        default:
            var writer = JSONWriter()
            writer.value(value)
            return writer.finish()
        }
    }

    /// Parses headers: an object, or a list of pairs if a name occurs twice. A value is a string, or null for no value.
    private static func headers(_ value: JSONValue?, at place: String) throws(OperationError) -> [EventHeader] {
        guard let value, !value.isNull else { return [] }
        let pairs = value.object.map { $0.map { [.string($0.name), $0.value] } } ?? value.array?.map { $0.array ?? [] }
        guard let pairs, pairs.allSatisfy({ $0.count == 2 && $0[0].string != nil }) else {
            throw OperationError(.badData, "\(place): headers must be an object of texts, or a list of pairs of texts")
        }
        var headers: [EventHeader] = []
        for pair in pairs {
            let name = pair[0].string ?? ""
            guard pair[1].isNull || pair[1].string != nil else {
                throw OperationError(.badData, "\(place): the header \(name) is not a text")
            }
            headers.append(EventHeader(name: name, value: pair[1].string.map(BytesText.bytes)))
        }
        return headers
    }
}
