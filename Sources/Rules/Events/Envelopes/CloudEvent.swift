import NewsflashBasics
import NewsflashSigning
import NewsflashStrictJSON

/// The attributes of a CloudEvent that contains a record's event.
///
/// CloudEvents 1.0, Kafka binding: in binary mode the attributes are headers and the value is the event; in structured mode
/// the value contains attributes and event. The members of the event take precedence.
struct CloudEvent {
    /// The form of a record according to its headers.
    enum Mode {
        case none
        case binary(CloudEvent)
        /// The value is the envelope, in JSON.
        case structured
        /// The value is an envelope in another form, or several envelopes.
        case unsupported
    }

    /// Identifies the event within ``source``.
    let id: String
    /// The sender.
    let source: String
    /// Whether the required attributes are present. Otherwise it is not a CloudEvent, and only its ``members`` may be used.
    let isWhole: Bool
    /// The event's members that the attributes contain, for an event that lacks them.
    let members: [JSONMember]

    /// Reads attributes; required ones may be missing or of another version.
    private init(remains attribute: (String) -> String?) {
        let (id, source, type) = (attribute("id"), attribute("source"), attribute("type"))
        isWhole = id != nil && source != nil && type != nil && attribute("specversion") == "1.0"
        self.id = id ?? ""
        self.source = source ?? ""
        var members: [JSONMember] = []
        func add(_ name: String, _ text: String?) {
            if let text { members.append(JSONMember(name: name, value: .string(text))) }
        }
        add("id", id)
        add("source", source)
        add("story", attribute("subject") ?? attribute("correlationid") ?? attribute("partitionkey"))
        add("published", attribute("time"))
        add("expires", attribute("expirytime"))
        add("kind", type.flatMap(Self.kind)?.rawValue)
        if let revision = attribute("sequence").flatMap(Int64.init(digits:)) {
            members.append(JSONMember(name: "revision", value: .number(JSONNumber(revision))))
        }
        self.members = members
    }

    /// Reads attributes; `nil` if a required one is missing, or is of another version.
    private init?(_ attribute: (String) -> String?) {
        self.init(remains: attribute)
        guard isWhole else { return nil }
    }

    /// The attributes in headers, even if required ones are missing; `nil` if such headers are absent.
    static func remains(_ headers: [EventHeader]) -> CloudEvent? {
        guard headers.contains(where: { $0.name.hasPrefix("ce_") }) else { return nil }
        return CloudEvent(remains: { headers.text("ce_" + $0) })
    }

    /// The attributes and the event of a JSON envelope that cannot be opened; the event is an empty object if absent.
    static func remains(_ envelope: JSONValue) -> (CloudEvent, JSONValue) {
        let event = CloudEvent(remains: { envelope[member: $0]?.string.flatMap { $0.isEmpty ? nil : $0 } })
        if let data = envelope.present("data"), data.object != nil { return (event, data) }
        let bytes = envelope[member: "data_base64"]?.string.flatMap(Base64.decode)
        return (event, bytes.flatMap { try? JSONReader.read($0) } ?? .object([]))
    }

    /// The story in the attributes.
    var story: String? { members.first { $0.name == "story" }?.value.string }

    /// The kind in the type, if it withdraws or holds.
    var order: EventKind? {
        let kind = members.first { $0.name == "kind" }?.value.string.flatMap(EventKind.init(rawValue:))
        return kind.flatMap { $0.isNews ? nil : $0 }
    }

    /// The rejection of an event that notifies although its envelope's type withdraws or holds, because either may be meant.
    func contradiction(of event: JSONValue) -> DecodeError? {
        guard let kind = order, let own = event[member: "kind"]?.string.flatMap(EventKind.init(rawValue:)), own.isNews
        else { return nil }
        return DecodeError(
            .cloudEvent,
            "the CloudEvent's type is \(kind.rawValue), the event's kind is \(own.rawValue)"
        )
    }

    /// Determines the form by the headers; the media type takes precedence over attributes.
    static func mode(_ headers: [EventHeader]) -> Mode {
        for header in headers where header.name.isEqualIgnoringASCIICase(to: "content-type") {
            guard let value = header.value, let rest = value.after(prefix: mediaType) else { continue }
            guard let parameters = rest.after(prefix: "+json") else { return .unsupported }
            let ends = parameters.first.map { $0 == UInt8(ascii: ";") || $0 <= 0x20 } ?? true
            return ends ? .structured : .unsupported
        }
        guard headers.contains(where: { $0.name.hasPrefix("ce_") }) else { return .none }
        return CloudEvent { headers.text("ce_" + $0) }.map(Mode.binary) ?? .none
    }

    /// Whether a document is an envelope: ``mayBeEnvelope(_:)`` is true, and it has data, or a type that withdraws and so
    /// needs no data.
    static func isEnvelope(_ document: JSONValue) -> Bool {
        guard mayBeEnvelope(document) else { return false }
        return document[member: "data"] != nil || document[member: "data_base64"] != nil
            || remains(document).0.order != nil
    }

    /// Whether a document has a CloudEvents version, or the other required attributes, and is not an event or item.
    static func mayBeEnvelope(_ document: JSONValue) -> Bool {
        guard document[member: "v"] == nil else { return false }
        if document[member: "specversion"]?.string != nil { return true }
        return ["id", "source", "type"].allSatisfy { document[member: $0]?.string != nil }
            && ["uri", "guid", "story", "kind"].allSatisfy { document[member: $0] == nil }
    }

    /// Opens an envelope in JSON.
    ///
    /// - Parameter envelope: The record's value.
    /// - Returns: The attributes and the event.
    /// - Throws: ``DecodeError`` if it is not a CloudEvent, or does not contain JSON.
    static func open(_ envelope: JSONValue) throws(DecodeError) -> (CloudEvent, JSONValue) {
        func attribute(_ name: String) -> String? { envelope[member: name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
        guard let event = CloudEvent(attribute) else {
            throw DecodeError(.cloudEvent, fault(in: attribute) ?? "is not a CloudEvent")
        }
        let data = envelope.present("data")
        let encoded = envelope.present("data_base64")
        if data != nil, encoded != nil { throw DecodeError(.cloudEvent, "data and data_base64 exclude each other") }
        if let type = envelope[member: "datacontenttype"]?.string, !isJSON(mediaType: type) {
            throw DecodeError(.cloudEvent, "/datacontenttype: must be JSON")
        }
        if let data { return (event, data) }
        guard let encoded else {
            let reference = envelope.present("dataref") == nil ? "" : "; dataref is not supported"
            throw DecodeError(.cloudEvent, "there is no data" + reference)
        }
        guard let bytes = encoded.string.flatMap(Base64.decode) else {
            throw DecodeError(.cloudEvent, "/data_base64: must be a base64 string")
        }
        do throws(JSONError) {
            return (event, try JSONReader.read(bytes))
        } catch {
            throw DecodeError(error, within: "data_base64")
        }
    }

    /// Whether an event has another id or source than its envelope; members that it lacks do not count.
    func differs(from event: JSONValue) -> Bool {
        func differs(_ name: String, _ own: String) -> Bool {
            guard let other = event[member: name] else { return false }
            return other != .string(own)
        }
        return differs("id", id) || differs("source", source)
    }

    /// The kind in a type such as `org.example.news.breaking.alert.v1`.
    private static func kind(ofType type: String) -> EventKind? {
        let words = type.split(separator: ".", omittingEmptySubsequences: false).suffix(4)
        guard words.count == 4, words.last == "v1", words.starts(with: ["news", "breaking"]) else { return nil }
        return EventKind(rawValue: String(words[words.endIndex - 2]))
    }

    private static func isJSON(mediaType: String) -> Bool {
        let essence = mediaType.prefix { $0 != ";" && $0 != " " }.lowercased()
        return essence.hasSuffix("/json") || essence.hasSuffix("+json")
    }

    private static let mediaType: StaticString = "application/cloudevents"
}

extension RandomAccessCollection<UInt8> {
    /// Returns the elements after an ASCII prefix, regardless of its case; `nil` if the prefix is absent.
    fileprivate func after(prefix: StaticString) -> SubSequence? {
        let length = prefix.utf8CodeUnitCount
        guard count >= length,
            String(decoding: self.prefix(length), as: UTF8.self).lowercasedASCII == prefix.description
        else { return nil }
        return dropFirst(length)
    }
}

/// Messages about faults of records that look like CloudEvents; they name the remedy.
extension CloudEvent {
    /// Returns the reason why attributes are not those of a CloudEvent.
    ///
    /// - Parameters:
    ///   - prefix: The prefix of the attributes' names, such as `ce_` in headers.
    ///   - attribute: Returns the text of an attribute.
    /// - Returns: The fault; `nil` if the attributes are valid.
    static func fault(prefix: String = "", in attribute: (String) -> String?) -> String? {
        if let version = attribute("specversion"), version != "1.0" {
            return "\(prefix)specversion: only CloudEvents 1.0 is supported, not \(version.printable(limit: 16))"
        }
        let missing = ["id", "source", "type", "specversion"].filter { attribute($0) == nil }.map { prefix + $0 }
        return missing.isEmpty ? nil : "a CloudEvent has no \(missing.joined(separator: ", "))"
    }

    /// Returns why headers that look like attributes are ignored; `nil` if such headers are absent, or all are valid.
    static func fault(inHeaders headers: [EventHeader]) -> String? {
        if headers.contains(where: { $0.name.hasPrefix("ce_") }) {
            return fault(prefix: "ce_") { headers.text("ce_" + $0) }.map { "\($0), so no ce_ header was read" }
        }
        // `ce-id` is a header of HTTP.
        let header = headers.first { ["ce_", "ce-"].contains($0.name.prefix(3).lowercased()) }
        guard let name = header?.name.printable(limit: 32) else { return nil }
        return "\(name) is ignored: in Kafka the attributes of a CloudEvent are ce_id, ce_source and so on"
    }

    /// Returns the message about a structured CloudEvent that is not one event in JSON.
    static func unsupportedForm(_ headers: [EventHeader]) -> String {
        let isBatch = headers.contains { header in
            guard header.name.isEqualIgnoringASCIICase(to: "content-type"), let value = header.value else {
                return false
            }
            return String(decoding: value, as: UTF8.self).lowercasedASCII.hasPrefix("application/cloudevents-batch")
        }
        return isBatch
            ? "a batch of CloudEvents is not supported: send each as a separate record"
            : "the only structured form supported is application/cloudevents+json: send that, or binary mode with JSON"
    }

    /// Whether a document is an array of envelopes.
    static func isBatch(_ document: JSONValue) -> Bool { document.array?.first.map(isEnvelope) ?? false }

    /// The text to add to the fault of such an array.
    static let batchHint = "; send each CloudEvent of a batch as a separate record"
}

extension DecodeOutcome {
    /// Adds to a rejection why the record's headers were ignored, because they may contain the missing members.
    func explained(byHeaders headers: [EventHeader]) -> DecodeOutcome {
        guard case .rejected(var rejection) = self, rejection.reason == .schema,
            let fault = CloudEvent.fault(inHeaders: headers)
        else { return self }
        rejection.detail = String(rejection.detail.prefix(1024 - fault.utf8.count - 2)) + "; " + fault
        return .rejected(rejection)
    }
}
