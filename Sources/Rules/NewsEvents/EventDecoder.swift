package import StrictJSON

/// Reads the values of Kafka records as events, version 1.
///
/// Checked in this order, the first fault decides: no bytes, too many bytes, schema registry frame, CloudEvents envelope,
/// UTF-8, JSON, schema. The frame comes before UTF-8 since framed bytes need not be text. A byte order mark is forgiven.
package struct EventDecoder: Sendable {
    /// The source of events that name none.
    package let defaultSource: String
    /// The most bytes a value may have.
    package let maximumBytes: Int

    /// Makes a decoder for one topic.
    ///
    /// - Parameters:
    ///   - defaultSource: The source configured for the topic.
    ///   - maximumBytes: Larger values are refused before they are parsed.
    package init(defaultSource: String, maximumBytes: Int = 262_144) {
        self.defaultSource = defaultSource
        self.maximumBytes = maximumBytes
    }

    /// Reads one record without copying its value.
    ///
    /// - Parameters:
    ///   - value: The record's value; nothing for a tombstone.
    ///   - headers: The record's headers.
    /// - Returns: The event, or why it is none. Any bytes end in one of these.
    package func decode(value: Span<UInt8>?, headers: [EventHeader] = []) -> DecodeOutcome {
        guard let value else { return .tombstone }
        let envelope = CloudEventHeaders(headers)
        if let rejection = refusalBeforeParsing(value, headers) {
            return .rejected(named(rejection, by: envelope))
        }
        let hasMark = value.count >= 3 && value[0] == 0xEF && value[1] == 0xBB && value[2] == 0xBF
        if envelope == nil, !hasMark, let event = EventScan.event(value, defaultSource: defaultSource) {
            return .event(event, warnings: [])
        }
        do throws(JSONError) {
            let document = try JSONReader.read(hasMark ? value.extracting(3...) : value)
            return outcome(document, envelope, warnings: hasMark ? [.byteOrderMark] : [])
        } catch {
            let rejection = Self.rejection(of: error, shiftedBy: hasMark ? 3 : 0, isUTF16: value.beginsLikeUTF16)
            return .rejected(named(rejection, by: envelope))
        }
    }

    /// Reads one record from an array.
    ///
    /// - Parameters:
    ///   - bytes: The record's value; nothing for a tombstone.
    ///   - headers: The record's headers.
    /// - Returns: The event, or why it is none.
    package func decode(bytes: [UInt8]?, headers: [EventHeader] = []) -> DecodeOutcome {
        guard let bytes else { return .tombstone }
        return decode(value: bytes.span, headers: headers)
    }

    /// Holds a document that was parsed already to the schema.
    ///
    /// - Parameter document: One JSON value.
    /// - Returns: The event, or why it is none.
    package func decode(document: JSONValue) -> DecodeOutcome {
        outcome(document, nil, warnings: [])
    }

    private func refusalBeforeParsing(_ value: Span<UInt8>, _ headers: [EventHeader]) -> EventRejection? {
        guard value.count > 0 else { return EventRejection(.empty, "the value has no bytes") }
        guard value.count <= maximumBytes else {
            return EventRejection(.tooLarge, "the value has \(value.count) bytes, allowed are \(maximumBytes)")
        }
        guard value[0] > 1 else {
            return EventRejection(.frame, "schema registry frames are not supported yet")
        }
        guard !CloudEventHeaders.areStructured(headers) else {
            return EventRejection(.cloudEvent, "structured CloudEvents are not supported yet")
        }
        return nil
    }

    private func outcome(
        _ document: JSONValue,
        _ envelope: CloudEventHeaders?,
        warnings: [EventWarning]
    ) -> DecodeOutcome {
        var warnings = warnings
        if let envelope, envelope.differs(from: document) { warnings.append(.envelopeMismatch) }
        var reader = EventSchemaReader(defaultID: envelope?.id, defaultSource: envelope?.source ?? defaultSource)
        if let event = reader.event(document) { return .event(event, warnings: warnings) }
        return .rejected(reader.rejection(of: document))
    }

    private func named(_ rejection: EventRejection, by envelope: CloudEventHeaders?) -> EventRejection {
        var rejection = rejection
        rejection.id = envelope?.id.printable(limit: EventSchemaReader.longestID)
        rejection.source = envelope?.source.printable(limit: EventSchemaReader.longestSource)
        return rejection
    }

    private static func rejection(of error: JSONError, shiftedBy shift: Int, isUTF16: Bool) -> EventRejection {
        let reason: InvalidReason =
            switch error.code {
            case .empty: .empty
            case .invalidUTF8: .utf8
            case .duplicateMember: .duplicateMember
            default: .json
            }
        let place = error.path.isEmpty ? "" : "\(error.path.printable(limit: 256)): "
        let hint = isUTF16 ? "; this looks like UTF-16, send UTF-8" : ""
        return EventRejection(reason, "\(place)\(error.message) at byte \(error.offset + shift)\(hint)")
    }
}

extension Span<UInt8> {
    /// Whether a byte order mark of UTF-16 stands first.
    fileprivate var beginsLikeUTF16: Bool {
        count >= 2 && (self[0] == 0xFF && self[1] == 0xFE || self[0] == 0xFE && self[1] == 0xFF)
    }
}

extension CloudEventHeaders {
    /// Whether the body names another event than the headers; members that it lacks do not count.
    fileprivate func differs(from body: JSONValue) -> Bool {
        func differs(_ name: String, _ own: String) -> Bool {
            guard let other = body[member: name] else { return false }
            return other != .string(own)
        }
        return differs("id", id) || differs("source", source)
    }
}
