package import StrictJSON

/// Reads the values of Kafka records as events.
///
/// Checked in this order, the first fault decides: an order to tell it again (``ReplayEnvelope``), no bytes, too many bytes, schema registry frame, CloudEvents envelope by
/// its media type, UTF-8, JSON, the envelope's attributes, the status of a feed's item, schema. The frame comes before UTF-8
/// since framed bytes need not be text. A byte order mark is forgiven. Whatever the format, what comes out fits the schema of
/// events, version 1.
package struct EventDecoder: Sendable {
    /// The source of events that name none.
    package let defaultSource: String
    /// What stands behind the envelopes.
    package let format: SourceFormat
    /// What else the newsroom says of the source; an event of ours says it all itself.
    package let rules: SourceRules
    /// The most bytes a value may have.
    package let maximumBytes: Int
    private let isEvent: Bool

    /// Makes a decoder for one topic.
    ///
    /// - Parameters:
    ///   - defaultSource: The source configured for the topic.
    ///   - format: Of the values behind their envelopes.
    ///   - rules: What a feed's items mean.
    ///   - maximumBytes: Larger values are refused before they are parsed.
    package init(
        defaultSource: String,
        format: SourceFormat = .event,
        rules: SourceRules = SourceRules(),
        maximumBytes: Int = 262_144
    ) {
        self.defaultSource = defaultSource
        self.format = format
        self.rules = rules
        self.maximumBytes = maximumBytes
        isEvent = format == .event
    }

    /// Reads one record without copying its value.
    ///
    /// - Parameters:
    ///   - value: The record's value; nothing for a tombstone.
    ///   - headers: The record's headers.
    /// - Returns: The event, or why it is none. Any bytes end in one of these.
    package func decode(value: Span<UInt8>?, headers: [EventHeader] = []) -> DecodeOutcome {
        if !headers.isEmpty, ReplayEnvelope.isMarked(headers) {
            let hasValue = if let value { value.count > 0 } else { false }
            return decodeReplay(headers, hasValue: hasValue)
        }
        guard let value else { return .tombstone }
        if !isEvent, !headers.isEmpty, let version = OwnEvent.version(headers) {
            guard version == OwnEvent.current else { return .rejected(OwnEvent.rejection) }
            return asEvents.decode(value: value, headers: headers)
        }
        let mode = headers.isEmpty ? .none : CloudEvent.mode(headers)
        do throws(Refusal) {
            let start = try start(of: value, headers, mode)
            let hasMark = value.hasByteOrderMark(at: start)
            if isEvent, !hasMark, case .none = mode,
                let event = EventScan.event(
                    start == 0 ? value : value.extracting(start...),
                    defaultSource: defaultSource
                )
            {
                return .event(consume event, warnings: [])
            }
            let document = try document(value, from: hasMark ? start + 3 : start)
            var warnings: [EventWarning] = hasMark ? [.byteOrderMark] : []
            switch mode {
            case .none where CloudEvent.isEnvelope(document):
                // The header that says so was forgotten, or lost by a tool that moves values alone.
                warnings.append(.envelopeUnmarked)
                let (envelope, event) = try CloudEvent.open(document)
                return outcome(event, envelope, warnings: warnings)
            case .none, .unsupported: return outcome(document, nil, warnings: warnings)
            case .binary(let envelope): return outcome(document, envelope, warnings: warnings)
            case .structured:
                let (envelope, event) = try CloudEvent.open(document)
                return outcome(event, envelope, warnings: warnings)
            }
        } catch {
            return .rejected(rejection(error, mode.envelope))
        }
    }

    /// Reads one record from an array.
    ///
    /// - Parameters:
    ///   - bytes: The record's value; nothing for a tombstone.
    ///   - headers: The record's headers.
    /// - Returns: The event, or why it is none.
    package func decode(bytes: [UInt8]?, headers: [EventHeader] = []) -> DecodeOutcome {
        // A replayed record has its value in a header.
        guard let bytes else { return decode(value: nil, headers: headers) }
        return decode(value: bytes.span, headers: headers)
    }

    /// The same decoder for events of our own format.
    private var asEvents: EventDecoder {
        EventDecoder(defaultSource: defaultSource, rules: rules, maximumBytes: maximumBytes)
    }

    /// Reads a record that an order has written once more.
    private func decodeReplay(_ headers: [EventHeader], hasValue: Bool) -> DecodeOutcome {
        do throws(Refusal) {
            let envelope = try ReplayEnvelope.open(headers, hasValue: hasValue)
            switch decode(bytes: envelope.value, headers: envelope.headers) {
            case .event(var event, let warnings):
                if let again = envelope.again, again != event.story {
                    let detail = "\(ReplayEnvelope.headerPrefix)again: names another story than the event"
                    throw Refusal(.replay, detail)
                }
                event.replay = envelope.mark
                if envelope.isSecure { event.delivery = .secure }
                return .event(event, warnings: warnings)
            case .rejected(var rejection):
                // The original has done to its story what it had to.
                rejection.holdsStory = false
                return .rejected(rejection)
            case .tombstone:
                return .tombstone
            }
        } catch {
            return .rejected(EventRejection(error.reason, error.detail))
        }
    }

    /// Reads a document that was parsed already.
    ///
    /// - Parameter document: One JSON value.
    /// - Returns: The event, or why it is none.
    package func decode(document: JSONValue) -> DecodeOutcome {
        outcome(document, nil, warnings: [])
    }

    /// Where the event or its envelope begins.
    private func start(
        of value: Span<UInt8>,
        _ headers: [EventHeader],
        _ mode: CloudEvent.Mode
    ) throws(Refusal) -> Int {
        guard value.count > 0 else { throw Refusal(.empty, "the value has no bytes") }
        guard value.count <= maximumBytes else {
            throw Refusal(.tooLarge, "the value has \(value.count) bytes, allowed are \(maximumBytes)")
        }
        let start = headers.isEmpty && value[0] > 1 ? 0 : try RegistryFrame.length(before: value, headers)
        if case .unsupported = mode {
            throw Refusal(.cloudEvent, "of structured CloudEvents only application/cloudevents+json is read")
        }
        return start
    }

    private func document(_ value: Span<UInt8>, from start: Int) throws(Refusal) -> JSONValue {
        do throws(JSONError) {
            return try JSONReader.read(start == 0 ? value : value.extracting(start...))
        } catch {
            let hint = value.beginsLikeUTF16 ? "; this looks like UTF-16, send UTF-8" : ""
            throw Refusal(error, shiftedBy: start, hint: hint)
        }
    }

    private func outcome(_ found: JSONValue, _ envelope: CloudEvent?, warnings: [EventWarning]) -> DecodeOutcome {
        guard case .object = found else {
            let refusal = Refusal(.notObject, "the document: must be an object, is \(found.typeName)")
            return .rejected(rejection(refusal, envelope))
        }
        let draft: EventDraft? =
            switch format {
            case .event: nil
            case .ninjs, .superdesk, .ap:
                NinjsItem(found, format: format, rules: rules).draft(isNamed: envelope != nil)
            case .fields(let mapping): mapping.draft(of: found, rules: rules)
            }
        let own = draft?.document ?? found
        var warnings = warnings
        if let envelope, envelope.differs(from: own) { warnings.append(.envelopeMismatch) }
        let document = envelope.map { own.completed(with: $0.members) } ?? own
        var reader = EventSchemaReader(defaultSource: defaultSource, withheld: draft?.withheld)
        if let refusal = draft?.unknownStatus { return .rejected(rejection(of: document, holding: refusal)) }
        if let event = reader.event(document) { return .event(event, warnings: warnings) }
        if isEvent, let astray = strayItem(found) { return .rejected(astray) }
        return .rejected(reader.rejection(of: document, from: origins(in: found)))
    }

    /// Where an item of the source's format has the members of an event; nothing for events themselves.
    private func origins(in item: JSONValue) -> [String: [String]] {
        switch format {
        case .event: [:]
        case .ninjs, .superdesk, .ap: NinjsItem(item, format: format, rules: rules).origins
        case .fields(let mapping): mapping.origins
        }
    }

    /// An item of ninjs among events that may have meant to withdraw its story: a feed was led to the wrong topic.
    private func strayItem(_ document: JSONValue) -> EventRejection? {
        guard document[member: "v"] == nil else { return nil }
        let draft = NinjsItem(document, format: .ninjs, rules: rules).draft(isNamed: false)
        return draft.unknownStatus.map { rejection(of: draft.document, holding: $0) }
    }

    private func rejection(of document: JSONValue, holding refusal: Refusal) -> EventRejection {
        var rejection = EventSchemaReader(defaultSource: defaultSource).rejection(of: document, for: refusal)
        rejection.holdsStory = rejection.story != nil
        return rejection
    }

    /// The rejection of bytes in which no event was found: what is known of it is known from the envelope.
    private func rejection(_ refusal: Refusal, _ envelope: CloudEvent?) -> EventRejection {
        guard let envelope else { return EventRejection(refusal.reason, refusal.detail) }
        return EventSchemaReader(defaultSource: defaultSource)
            .rejection(of: .object(envelope.members), for: refusal)
    }
}

extension CloudEvent.Mode {
    /// The attributes, where they are known without the value.
    fileprivate var envelope: CloudEvent? {
        if case .binary(let envelope) = self { envelope } else { nil }
    }
}

extension Span<UInt8> {
    /// Whether a byte order mark of UTF-8 stands there.
    fileprivate func hasByteOrderMark(at start: Int) -> Bool {
        count >= start + 3 && self[start] == 0xEF && self[start + 1] == 0xBB && self[start + 2] == 0xBF
    }

    /// Whether a byte order mark of UTF-16 stands first.
    fileprivate var beginsLikeUTF16: Bool {
        count >= 2 && (self[0] == 0xFF && self[1] == 0xFE || self[0] == 0xFE && self[1] == 0xFF)
    }
}
