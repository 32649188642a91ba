import NewsflashBasics
package import NewsflashStrictJSON
package import NewsflashTimestamps

/// Decodes the values of Kafka records as events.
///
/// The checks run in this order, and the first fault decides: the headers of a replay command (``ReplayEnvelope``), the
/// header of our own format (``OwnEvent``), no bytes, too many bytes, schema registry frame, CloudEvents envelope by its
/// media type, UTF-8, JSON, the envelope's attributes, the status of a feed's item, schema. The frame comes before UTF-8
/// because framed bytes need not be text. A byte order mark is tolerated. An event of any format fits the schema of events,
/// version 1.
///
/// A record with a fault is also searched for an instruction (``RecordOrder``): a kill or a hold is obeyed, and a record that
/// may restrict its story holds it.
package struct EventDecoder: Sendable {
    /// The source of events that name none.
    package let defaultSource: String
    /// The format of the values inside their envelopes.
    package let format: SourceFormat
    /// The other settings of the source; events of our own format contain this information themselves.
    package let rules: SourceRules
    /// The maximum size of a value in bytes, except for withdrawals.
    package let maximumBytes: Int
    let isEvent: Bool

    /// Creates a decoder for one topic.
    ///
    /// - Parameters:
    ///   - defaultSource: The source configured for the topic.
    ///   - format: The format of the values inside their envelopes.
    ///   - rules: The meaning of a feed's items.
    ///   - maximumBytes: Larger values are rejected before they are parsed, unless they withdraw. `nil` for the default of the
    ///     format.
    package init(
        defaultSource: String,
        format: SourceFormat = .event,
        rules: SourceRules = SourceRules(),
        maximumBytes: Int? = nil
    ) {
        self.defaultSource = defaultSource
        self.format = format
        self.rules = rules
        self.maximumBytes = maximumBytes ?? format.usualMaximumBytes
        isEvent = format == .event
    }

    /// Decodes one record without copying its value.
    ///
    /// - Parameters:
    ///   - value: The record's value; `nil` for a tombstone.
    ///   - headers: The record's headers.
    ///   - writtenAt: The record's time, used for a withdrawal that has no time.
    /// - Returns: An event, a rejection or a tombstone, for any input.
    package func decode(
        value: Span<UInt8>?,
        headers: [EventHeader] = [],
        writtenAt: Timestamp? = nil
    ) -> DecodeOutcome {
        let outcome = read(value, headers, writtenAt)
        guard rules.mode == .test else { return outcome }
        switch outcome {
        case .event(var event, let warnings) where event.mode == .live:
            event.mode = .test
            return .event(event, warnings: warnings)
        case .rejected(var rejection):
            rejection.mode = .test
            return .rejected(rejection)
        case .event, .tombstone: return outcome
        }
    }

    private func read(_ value: Span<UInt8>?, _ headers: [EventHeader], _ writtenAt: Timestamp?) -> DecodeOutcome {
        if !headers.isEmpty, ReplayEnvelope.isMarked(headers) {
            let hasValue = if let value { value.count > 0 } else { false }
            return decodeReplay(headers, hasValue: hasValue, writtenAt: writtenAt)
        }
        guard let value else { return withdrawalWithoutData(headers, writtenAt) ?? .tombstone }
        if !isEvent, !headers.isEmpty, let version = OwnEvent.version(headers) {
            guard version == OwnEvent.current else { return .rejected(laterEvent(value, writtenAt)) }
            return asEvents.decode(value: value, headers: headers, writtenAt: writtenAt)
        }
        let mode = headers.isEmpty ? .none : CloudEvent.mode(headers)
        do throws(DecodeError) {
            let start = try start(of: value, headers, mode)
            let hasMark = value.hasByteOrderMark(at: start)
            if isEvent, !hasMark, case .none = mode,
                let event = FastEventDecoder.event(
                    start == 0 ? value : value.extracting(start...),
                    defaultSource: defaultSource
                )
            {
                let hasEntities = event.text.contains(where: \.looksLikeHTML)
                return .event(consume event, warnings: hasEntities ? [.entities] : [])
            }
            let document = try document(value, from: hasMark ? start + 3 : start)
            return outcome(document, mode, headers, warnings: hasMark ? [.byteOrderMark] : [], writtenAt)
        } catch {
            return refused(error, value, mode, headers, writtenAt)
        }
    }

    /// Decodes one record from an array.
    ///
    /// - Parameters:
    ///   - bytes: The record's value; `nil` for a tombstone.
    ///   - headers: The record's headers.
    ///   - writtenAt: The record's time, used for a withdrawal that has no time.
    /// - Returns: An event, a rejection or a tombstone.
    package func decode(
        bytes: [UInt8]?,
        headers: [EventHeader] = [],
        writtenAt: Timestamp? = nil
    ) -> DecodeOutcome {
        // The value of a replayed record is in a header.
        guard let bytes else { return decode(value: nil, headers: headers, writtenAt: writtenAt) }
        return decode(value: bytes.span, headers: headers, writtenAt: writtenAt)
    }

    /// The same decoder for events of our own format.
    var asEvents: EventDecoder {
        EventDecoder(defaultSource: defaultSource, rules: rules, maximumBytes: maximumBytes)
    }

    /// Decodes a record that a replay command has written again.
    private func decodeReplay(_ headers: [EventHeader], hasValue: Bool, writtenAt: Timestamp?) -> DecodeOutcome {
        do throws(DecodeError) {
            let envelope = try ReplayEnvelope.open(headers, hasValue: hasValue)
            switch decode(bytes: envelope.value, headers: envelope.headers, writtenAt: writtenAt) {
            case .event(var event, let warnings):
                if let again = envelope.again, again != event.story {
                    let detail = "\(ReplayEnvelope.headerPrefix)again: names another story than the event"
                    throw DecodeError(.replay, detail)
                }
                event.replay = envelope.mark
                if envelope.isSecure { event.delivery = .secure }
                return .event(event, warnings: warnings)
            case .rejected(var rejection):
                // The original record already held its story if it had to.
                rejection.release()
                return .rejected(rejection)
            case .tombstone:
                return .tombstone
            }
        } catch {
            return .rejected(EventRejection(error.reason, error.detail))
        }
    }

    /// Decodes a parsed document.
    ///
    /// - Parameter document: One JSON value.
    /// - Returns: The event or the rejection.
    package func decode(document: JSONValue) -> DecodeOutcome {
        outcome(Content(document: document), warnings: [], nil)
    }

    /// The index of the first byte of the event or its envelope.
    private func start(
        of value: Span<UInt8>,
        _ headers: [EventHeader],
        _ mode: CloudEvent.Mode
    ) throws(DecodeError) -> Int {
        guard value.count > 0 else { throw DecodeError(.empty, "the value has no bytes") }
        guard value.count <= maximumBytes else {
            throw DecodeError(.tooLarge, "the value has \(value.count) bytes; at most \(maximumBytes) are allowed")
        }
        let start = headers.isEmpty && value[0] > 3 ? 0 : try RegistryFrame.length(before: value, headers)
        if case .unsupported = mode { throw DecodeError(.cloudEvent, CloudEvent.unsupportedForm(headers)) }
        return start
    }

    private func document(_ value: Span<UInt8>, from start: Int) throws(DecodeError) -> JSONValue {
        do throws(JSONError) {
            return try JSONReader.read(start == 0 ? value : value.extracting(start...))
        } catch {
            if error.code == .duplicateMember, let document = repetitive(value.extracting(start...)) { return document }
            let hint = start < value.count ? ForeignFormat.hint(for: value.extracting(start...)) : ""
            throw DecodeError(error, shiftedBy: start, hint: hint)
        }
    }

    /// Reads an item with repeated names if all of them are in parts that are not read: renditions, and members that no rule
    /// uses.
    private func repetitive(_ value: Span<UInt8>) -> JSONValue? {
        guard format.isOfItems, let (document, repeated) = try? JSONReader.readAllowingRepeatedNames(value) else {
            return nil
        }
        let isHarmless = repeated.allSatisfy { pointer in
            let steps = pointer.split(separator: "/").map { $0.lowercased() }
            // The repeated name is the last step; everything below `renditions` is a part of renditions.
            return steps.dropLast().contains("renditions") || !isRead(steps.first ?? "")
        }
        return isHarmless ? document : nil
    }

    /// Whether a top-level member of items is read; `name` is in lower case.
    private func isRead(_ name: String) -> Bool { places[name] != nil || Self.alsoRead.contains(name) }

    /// The members of items that are read but cannot contain an instruction.
    private static let alsoRead: Set<String> = {
        let places = NinjsFlavour.allCases.flatMap { flavour in
            FeedPlaces.Part.allCases.filter { !$0.isOfOrder }.flatMap { FeedPlaces.places(of: $0, in: flavour) }
        }
        let steps = places.compactMap { $0.split(separator: "/").first.map(String.init)?.lowercasedASCII }
        return RecordSketch.containers.union(steps + ["renditions", "eventdetails", "plannedcoverage"])
    }()

    // MARK: Documents

    /// The content of a record inside its envelope.
    struct Content {
        var document: JSONValue
        var envelope: CloudEvent?
        /// The reason to reject the record unless it restricts its story.
        var fault: DecodeError?
        /// Whether the record was read completely and has no repeated names.
        var isCertain = true
    }

    private func outcome(
        _ document: JSONValue,
        _ mode: CloudEvent.Mode,
        _ headers: [EventHeader],
        warnings: [EventWarning],
        _ writtenAt: Timestamp?
    ) -> DecodeOutcome {
        var warnings = warnings
        switch mode {
        case .binary(let envelope):
            return outcome(Content(document: document, envelope: envelope), warnings: warnings, writtenAt)
        case .none where CloudEvent.isEnvelope(document):
            // The header was forgotten, or lost by a tool that copies only values.
            warnings.append(.envelopeUnmarked)
        case .structured: break
        case .none, .unsupported:
            let envelope = headers.isEmpty ? nil : CloudEvent.remains(headers)
            return outcome(Content(document: document, envelope: envelope), warnings: warnings, writtenAt)
                .explained(byHeaders: headers)
        }
        do throws(DecodeError) {
            let (envelope, event) = try CloudEvent.open(document)
            return outcome(Content(document: event, envelope: envelope), warnings: warnings, writtenAt)
        } catch {
            let (envelope, event) = CloudEvent.remains(document)
            let content = Content(document: event, envelope: envelope, fault: error)
            return outcome(content, warnings: warnings, writtenAt)
        }
    }

    func outcome(_ found: Content, warnings: [EventWarning], _ writtenAt: Timestamp?) -> DecodeOutcome {
        var found = found
        let envelope = found.envelope.flatMap { $0.isWhole ? $0 : nil }
        if found.document.object == nil {
            let batch = CloudEvent.isBatch(found.document) ? CloudEvent.batchHint : ""
            let detail = "the document: must be an object, is \(found.document.typeName)\(batch)"
            let error = DecodeError(.notObject, detail)
            found.fault = found.fault ?? error
            found.unwrap()
        }
        let draft = draft(of: found.document, in: envelope, writtenAt)
        let own = draft?.document ?? found.document
        var warnings = warnings + (draft?.warnings ?? [])
        if let envelope, envelope.differs(from: own) { warnings.append(.envelopeMismatch) }
        let document = envelope.map { own.completed(with: $0.members) } ?? own
        let unclear = draft?.unclear ?? found.envelope?.contradiction(of: own)
        var reader = EventSchemaReader(defaultSource: defaultSource, withheld: draft?.withheld, isDraft: draft != nil)
        reader.violations = draft?.violations ?? SchemaViolations()
        if var event = reader.event(document), found.fault == nil, unclear == nil {
            if let draft {
                event.readers = rules.readers
                if !draft.spareCategories.isEmpty { event.spareCategories = draft.spareCategories }
                if let first = draft.kindIfFirst, first != event.kind { event.kindIfFirst = first }
            }
            if !rules.isHTML, event.text.contains(where: \.looksLikeHTML) { warnings.append(.entities) }
            if event.kind.isNews || draft?.oddities.isEmpty ?? true { return .event(event, warnings: warnings) }
        }
        return restricting(found, document, draft, unclear, reader, warnings, writtenAt)
    }

    private func draft(of item: JSONValue, in envelope: CloudEvent?, _ writtenAt: Timestamp?) -> EventDraft? {
        switch format {
        case .event: nil
        case .ninjs, .superdesk, .ap:
            NinjsItem(item, format: format, rules: rules).draft(in: envelope, writtenAt: writtenAt)
        case .fields(let mapping):
            mapping.draft(of: item, rules: rules, isNamed: envelope != nil, writtenAt: writtenAt)
        }
    }
}

extension EventText {
    /// Whether subscribers would see entities or tags, because the source is not declared to be HTML.
    fileprivate var looksLikeHTML: Bool { HTMLText.isLikely(headline) || summary.map(HTMLText.isLikely) ?? false }
}

extension Span<UInt8> {
    /// Whether a UTF-8 byte order mark is at `start`.
    func hasByteOrderMark(at start: Int) -> Bool {
        count >= start + 3 && self[start] == 0xEF && self[start + 1] == 0xBB && self[start + 2] == 0xBF
    }
}

/// Formats that are not JSON, recognized by their first bytes, so that a fault can name the format and the remedy.
enum ForeignFormat {
    /// Recognises a value that is not JSON.
    ///
    /// - Parameter value: The bytes after the frame.
    /// - Returns: The text to add to its fault; empty if the format is unknown.
    static func hint(for value: Span<UInt8>) -> String {
        for (beginning, hint) in hints where value.begins(with: beginning) { return "; " + hint }
        // The first field of a Protobuf message has the key of a number, or of a text followed by its length.
        let isProtobuf =
            value.count > 1 && (value[0] == 0x08 || value[0] == 0x0A && !mayFollowLineFeedInJSON(value[1]))
        return isProtobuf ? "; this may be Protobuf, which is not supported: send JSON" : ""
    }

    private static func mayFollowLineFeedInJSON(_ byte: UInt8) -> Bool { " \t\n\r{[\"".utf8.contains(byte) }

    private static let utf16 = "this looks like UTF-16, send UTF-8"
    private static let gzip =
        "the value was compressed before it was sent to Kafka; set compression.type of the producer instead"
    private static let avro = "this is Avro, which is not supported: send JSON"

    /// Checked from top to bottom.
    private static let hints: [(beginning: [UInt8], hint: String)] = [
        ([0xFF, 0xFE], utf16), ([0xFE, 0xFF], utf16), ([UInt8(ascii: "{"), 0], utf16),
        (
            Array("<".utf8),
            "this is XML, such as NITF or NewsML, which is not supported: send ninjs, or JSON for format: fields"
        ),
        (
            Array("FTMSG/".utf8),
            "this is FTMSG, with headers before the text: send the JSON after them as the value, and the "
                + "headers as those of the record"
        ),
        ([0x1F, 0x8B], gzip), ([0x28, 0xB5, 0x2F, 0xFD], gzip),
        ([0x78, 0x01], gzip), ([0x78, 0x5E], gzip), ([0x78, 0x9C], gzip), ([0x78, 0xDA], gzip),
        (Array("Obj\u{1}".utf8), avro), ([0xC3, 0x01], avro),
    ]
}

extension Span<UInt8> {
    fileprivate func begins(with other: [UInt8]) -> Bool {
        guard count >= other.count else { return false }
        for index in other.indices where self[index] != other[index] { return false }
        return true
    }
}
