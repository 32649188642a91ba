import NewsflashBasics
import NewsflashStrictJSON
import NewsflashTimestamps

/// Handling of records with faults.
extension EventDecoder {
    /// Obeys a record with faults if it restricts its story.
    func restricting(
        _ found: Content,
        _ document: JSONValue,
        _ draft: EventDraft?,
        _ unclear: DecodeError?,
        _ reader: EventSchemaReader,
        _ warnings: [EventWarning],
        _ writtenAt: Timestamp?
    ) -> DecodeOutcome {
        let origins = origins(in: found.document).merging(draft?.origins ?? [:]) { $1 }
        var rejection = reader.rejection(of: document, for: found.fault ?? unclear, from: origins)
        if isEvent, document[member: "kind"] == nil, let astray = strayItem(found.document, rejection, writtenAt) {
            return .rejected(astray)
        }
        // An incomplete CloudEvent may still contain the story and the kind.
        let whole = document.completed(with: found.envelope?.members ?? [])
        let order = RecordOrder(of: whole, unclear: unclear, story: found.envelope?.story)
        let limits = RecordLimits(of: whole, violations: reader.violations, isStray: reader.hasStray)
        rejection.embargo = limits.embargo
        func hold(_ story: String?, as kind: EventKind = .hold) -> DecodeOutcome {
            let id = FeedName.id(of: kind, whole, writtenAt: writtenAt)
            return .rejected(rejection.holding(story, revision: draft?.holdRevision, id: id))
        }
        if !isEvent, let stray = strayEvent(found, order), stray.story != nil {
            rejection.revision = found.document[member: "revision"]?.int64.flatMap { $0 >= 0 ? $0 : nil }
            let id = FeedName.id(of: .hold, whole, writtenAt: writtenAt)
            return .rejected(rejection.holding(stray.story, id: id))
        }
        switch order.act {
        case .withdraw(let kind):
            guard let story = order.story else { return .rejected(rejection) }
            var reader = EventSchemaReader(defaultSource: defaultSource)
            reader.violations = draft?.violations ?? SchemaViolations()
            _ = reader.event(whole)
            guard found.isCertain, let event = reader.withdrawal(whole, kind, of: story, writtenAt: writtenAt) else {
                return hold(story, as: kind)
            }
            let details = [
                warnings.first(where: \.isOrder)?.detail, found.fault?.detail, reader.violations.detail(from: origins),
                draft?.oddities.detail(from: [:]),
            ]
            let detail = details.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "; ").utf8.prefix(1024)
            return .event(
                event,
                warnings: [.faultyWithdrawal(String(decoding: detail, as: UTF8.self))] + warnings
            )
        case .unclear:
            return hold(order.story)
        case .notify:
            guard limits.restrict(at: writtenAt) || !found.isCertain else { break }
            return hold(order.story)
        }
        return .rejected(rejection)
    }

    /// The paths of an event's members in an item of the source's format; empty for events themselves.
    private func origins(in item: JSONValue) -> [String: [String]] {
        switch format {
        case .event: [:]
        case .ninjs, .superdesk, .ap: NinjsItem(item, format: format, rules: rules).origins
        case .fields(let mapping): mapping.origins
        }
    }

    /// The rejection of a ninjs item on a topic of events, if it may withdraw its story: the feed was routed to the wrong
    /// topic.
    private func strayItem(
        _ document: JSONValue,
        _ rejection: EventRejection,
        _ writtenAt: Timestamp?
    ) -> EventRejection? {
        guard document[member: "v"] == nil else { return nil }
        let draft = NinjsItem(document, format: .ninjs, rules: rules).draft(in: nil, writtenAt: writtenAt)
        let order = RecordOrder(of: draft.document, unclear: draft.unclear)
        if case .notify = order.act { return nil }
        guard order.story != nil else { return nil }
        let reader = EventSchemaReader(defaultSource: defaultSource)
        let error = draft.unclear ?? DecodeError(rejection.reason, rejection.detail)
        return reader.rejection(of: draft.document, for: error)
            .holding(
                order.story,
                revision: draft.holdRevision,
                id: FeedName.id(of: .hold, document, writtenAt: writtenAt)
            )
    }

    /// The instruction of an event on a feed's topic that lacks the header of our own format, if it may restrict its story.
    private func strayEvent(_ found: Content, _ order: RecordOrder) -> RecordOrder? {
        guard found.document[member: "v"] != nil else { return nil }
        if order.story != nil, case .withdraw = order.act { return nil }
        let stray = RecordOrder(of: found.document.completed(with: found.envelope?.members ?? []))
        if case .notify = stray.act { return nil }
        return stray
    }

    /// The rejection of an event in a later version of our own format. It may restrict its story.
    func laterEvent(_ value: Span<UInt8>, _ writtenAt: Timestamp?) -> EventRejection {
        let document = RecordSketch(value, places: places).document
        let id = FeedName.id(of: .hold, document, writtenAt: writtenAt)
        return OwnEvent.rejection.holding(RecordOrder(of: document).story, id: id)
    }

    // MARK: Values that are not documents

    /// Obeys a CloudEvent without data whose type withdraws or holds; its attributes, which are headers, suffice.
    ///
    /// - Returns: `nil` if such attributes are absent.
    func withdrawalWithoutData(_ headers: [EventHeader], _ writtenAt: Timestamp?) -> DecodeOutcome? {
        guard !headers.isEmpty, let envelope = CloudEvent.remains(headers), envelope.order != nil else { return nil }
        let decoder = OwnEvent.version(headers) == OwnEvent.current ? asEvents : self
        return decoder.outcome(Content(document: .object([]), envelope: envelope), warnings: [], writtenAt)
    }

    /// Looks for an instruction in a value that cannot be parsed.
    func refused(
        _ error: DecodeError,
        _ value: Span<UInt8>,
        _ mode: CloudEvent.Mode,
        _ headers: [EventHeader],
        _ writtenAt: Timestamp?
    ) -> DecodeOutcome {
        if value.count == 0, let outcome = withdrawalWithoutData(headers, writtenAt) { return outcome }
        var start = value.count > 0 ? (try? RegistryFrame.length(before: value, headers)) ?? 0 : 0
        if value.hasByteOrderMark(at: start) { start += 3 }
        let sketch = RecordSketch(value.extracting(min(start, value.count)...), places: places)
        func outcome(_ document: JSONValue) -> DecodeOutcome {
            var content = Content(document: document, fault: error)
            content.isCertain = sketch.isWhole && !sketch.isAmbiguous
            switch mode {
            case .binary(let envelope): content.envelope = envelope
            case .none where !CloudEvent.mayBeEnvelope(document): content.envelope = CloudEvent.remains(headers)
            case .none, .structured, .unsupported:
                guard CloudEvent.mayBeEnvelope(document) else { break }
                (content.envelope, content.document) = CloudEvent.remains(document)
            }
            return self.outcome(content, warnings: [], writtenAt)
        }
        // Most parsers use the last value of a repeated name. After a syntax error, the last value may belong to an inner
        // object.
        let (first, last) = (sketch.document, sketch.document.withMembersReversed)
        guard sketch.isAmbiguous else { return outcome(first) }
        let isRepeated = error.reason == .duplicateMember
        return isRepeated
            ? outcome(last).orIfItHoldsNothing(outcome(first)) : outcome(first).orIfItHoldsNothing(outcome(last))
    }

    // MARK: Places

    /// The paths at which a record of the source may contain an instruction.
    var places: RecordPlaces {
        var places = Self.usualPlaces
        if case .fields(let mapping) = format {
            for (pointer, isName) in mapping.places { places.add(pointer.names, isName: isName) }
        }
        for steps in rules.story.flatMap(\.places) { places.add(steps, isName: true) }
        for pointer in rules.headline { places.add(pointer.names) }
        return places
    }

    private static let usualPlaces: RecordPlaces = {
        var places = RecordPlaces()
        for name in ["v", "source", "revision", "kind", "published", "mode", "urgency", "embargo"] {
            places.add([name])
        }
        for name in ItemState.names.union(["audience", "users", "delivery"]) { places.add([name]) }
        for name in ["specversion", "type", "time", "sequence", "data_base64"] { places.add([name]) }
        for name in ["id", "story", "subject", "correlationid", "partitionkey"] { places.add([name], isName: true) }
        for flavour in NinjsFlavour.allCases {
            for part in FeedPlaces.Part.allCases where part.isOfOrder {
                for place in FeedPlaces.places(of: part, in: flavour) {
                    places.add(
                        place.split(separator: "/").map(String.init),
                        isName: [.story, .rewritten].contains(part)
                    )
                }
            }
        }
        // IPTC's guide also has this spelling.
        places.add(["altid", "itemid"], isName: true)
        return places
    }()
}

extension EventDecoder.Content {
    /// Extracts the record from a value that is not an object: the first element of an array, or the JSON in a string. If
    /// both are absent, the content is an empty object.
    mutating func unwrap() {
        var inner = document
        if let text = inner.string { inner = (try? JSONReader.read(text)) ?? .null }
        if let elements = inner.array {
            if elements.count > 1 {
                isCertain = false
                fault = fault.map {
                    DecodeError($0.reason, $0.detail + " of \(elements.count) records; only the first is used")
                }
            }
            inner = elements.first ?? .null
        }
        document = inner.object == nil ? .object([]) : inner
        if envelope == nil, CloudEvent.mayBeEnvelope(document) { (envelope, document) = CloudEvent.remains(document) }
    }
}

extension DecodeOutcome {
    /// This outcome if it holds a story, otherwise another one of the same record.
    fileprivate func orIfItHoldsNothing(_ other: DecodeOutcome) -> DecodeOutcome {
        if case .rejected(let rejection) = self, rejection.holdsStory { return self }
        return other
    }
}

extension JSONValue {
    /// The same value with all members in reverse order, so that a lookup finds the last one of a name.
    fileprivate var withMembersReversed: JSONValue {
        switch self {
        case .object(let members):
            .object(members.reversed().map { JSONMember(name: $0.name, value: $0.value.withMembersReversed) })
        case .array(let elements): .array(elements.map(\.withMembersReversed))
        default: self
        }
    }
}

/// The limits that a rejected record sets for news of its story. Older news that waits must not be sent without regard to
/// them.
struct RecordLimits {
    /// The end of the embargo; the end of time if it is unreadable.
    let embargo: Timestamp?
    private let expires: Timestamp?
    private let published: Timestamp?
    /// Whether a part of it is unreadable, or it limits its audience or its delivery.
    private let isForbidding: Bool

    /// Reads the limits of a document.
    ///
    /// - Parameters:
    ///   - document: The members of an event, even if they have faults.
    ///   - violations: Their violations of the schema.
    ///   - isStray: Whether it has an unknown member that may restrict.
    init(of document: JSONValue, violations: SchemaViolations, isStray: Bool) {
        var reader = EventSchemaReader(defaultSource: "")
        let embargo = reader.embargo(document.present("embargo"))
        expires = reader.limit(document.present("expires"), at: "/expires")
        published = document[member: "published"]?.string.flatMap(EventSchemaReader.instant(of:))
        let unreadable = reader.violations.members.union(violations.members)
        self.embargo = unreadable.contains("embargo") ? Timestamp(nanoseconds: .max) : embargo
        let isPersonal =
            document.present("audience") != nil || document[member: "delivery"]?.string == EventDelivery.secure.rawValue
        isForbidding = isStray || isPersonal || !unreadable.isDisjoint(with: ["expires", "delivery", "audience"])
    }

    /// Whether older news of the story must wait for a person. An embargo that has ended at the record's time does not
    /// restrict.
    func restrict(at time: Timestamp?) -> Bool {
        if isForbidding { return true }
        if let embargo, time.map({ embargo > $0 }) ?? true { return true }
        guard let expires else { return false }
        return [time, published, embargo].contains { $0.map { expires <= $0 } ?? false }
    }
}
