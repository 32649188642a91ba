import NewsflashStrictJSON
package import NewsflashTimestamps
import NewsflashTopicPartitions

/// Encodes and decodes the records of the control topic: JSON, for programs and for people with `kcat`.
///
/// ```json
/// {"v":1,"act":"pause","source":"https://cms.example.org/desk","by":"ed:novak","reason":"the CMS was broken into",
///  "at":"2026-03-02T08:40:00.050Z"}
/// {"v":1,"act":"resume","topic":"newsroom.breaking.v1","event":"n-4711","story":"urn:desk:1","partition":2,"offset":811,
///  "by":"ed:novak","reason":"checked by phone","at":"2026-03-02T08:40:00.050Z"}
/// {"v":1,"act":"reload","canary":200,"announce":["words"],"by":"ed:novak","reason":"new words for a flash",
///  "at":"2026-03-02T08:40:00.050Z"}
/// {"v":1,"act":"logLevel","level":"debug","until":"2026-03-02T09:10:00.050Z","by":"ops:kim","reason":"refusals of the hub",
///  "at":"2026-03-02T08:40:00.050Z"}
/// ```
///
/// The key is ``ControlOrder/key``. A pause or resume is for a `source`, as in its events; for a `topic` of events with any
/// source; or, without both, for everything. A resume with an `event` is for this one, which waits for a person: `story`,
/// `topic`, `partition` and `offset` say where. Without `by`, the order is from a volume limit. Without `canary`, `announce` or
/// `limits`, each worker's configuration applies.
package enum ControlOrderCodec {
    /// The maximum number of events in a reload order.
    package static let mostEvents = 100_000
    /// The maximum length of a reason, in bytes.
    package static let longestReason = 1024
    private static let longestName = 256

    /// Encodes an order.
    ///
    /// - Parameter order: The order. Of an unknown one only the act is written.
    /// - Returns: The whole value.
    package static func encode(_ order: ControlOrder) -> [UInt8] {
        switch order {
        case .source(let order):
            let name: String? = if case .person(let name) = order.author { name } else { nil }
            return written(as: order.act.rawValue, by: name, order.reason, order.at) { writer in
                let event = order.scope.event
                writer.member("source", order.scope.source)
                writer.member("topic", order.scope.topic ?? event?.partition.topic)
                writer.member("event", event?.id)
                writer.member("story", event?.story)
                writer.member("partition", event.map { Int64($0.partition.partition) })
                writer.member("offset", event?.offset)
            }
        case .reload(let order):
            return written(as: "reload", by: order.by, order.reason, order.at) { write(order, into: &$0) }
        case .logLevel(let order):
            return written(as: "logLevel", by: order.by, order.reason, order.at) { writer in
                writer.member("level", order.level)
                writer.member("until", order.until.rfc3339)
            }
        case .unknown(let act): return written(as: act, by: "", "", Timestamp(seconds: 0)) { _ in }
        }
    }

    private static func write(_ order: ReloadOrder, into writer: inout JSONWriter) {
        if let events = order.events { writer.member("canary", Int64(events)) }
        let announced = CanaryTerms.kinds.filter(order.announced.contains)
        if !announced.isEmpty { writer.member("announce", announced.map(\.rawValue)) }
        let limits = CanaryTerms.kinds.compactMap { kind in order.limits[kind].map { (kind.rawValue, $0) } }
        guard !limits.isEmpty else { return }
        writer.name("limits")
        writer.beginObject()
        for (kind, limit) in limits {
            writer.name(kind)
            writer.value(limit)
        }
        writer.endObject()
    }

    private static func written(
        as act: String,
        by author: String?,
        _ reason: String,
        _ at: Timestamp,
        _ members: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("v", Int64(1))
        writer.member("act", act)
        members(&writer)
        writer.member("by", author)
        writer.member("reason", reason.prefixOfUTF8(longestReason))
        writer.member("at", at.rfc3339)
        writer.endObject()
        return writer.finish()
    }

    /// Decodes an order.
    ///
    /// - Parameter value: The whole value.
    /// - Returns: The order; ``ControlOrder/unknown(act:)`` for an unknown act.
    /// - Throws: The fault and the member that has it.
    package static func decode(_ value: Span<UInt8>) throws(ControlRecordError) -> ControlOrder {
        let document: JSONValue
        do throws(JSONError) {
            document = try JSONReader.read(value)
        } catch {
            throw ControlRecordError("\(error.path): \(error.message) at byte \(error.offset)")
        }
        guard document[member: "v"]?.int64 == 1 else {
            throw ControlRecordError("/v: must be 1: other versions of the record are not supported")
        }
        guard let act = document[member: "act"]?.string else {
            throw ControlRecordError("/act: must be the name of an act, such as pause")
        }
        switch act {
        case "reload": return .reload(try reload(document))
        case "logLevel": return .logLevel(try logLevel(document))
        default:
            guard let act = ControlRecord.Act(rawValue: act) else {
                return .unknown(act: act.prefixOfUTF8(longestName))
            }
            return .source(try record(act, document))
        }
    }

    /// Decodes a record of the control topic, which was written at an instant. Without a value it is a tombstone, which
    /// resumes the scope of its key, or ends the pause of a volume limit.
    ///
    /// - Returns: The order; `nil` for a tombstone of another kind of order.
    /// - Throws: ``ControlRecordError`` with the member that has the fault.
    package static func decode(
        key: [UInt8]?,
        value: [UInt8]?,
        at: Timestamp
    ) throws(ControlRecordError) -> ControlOrder? {
        if let value { return try decode(value.span) }
        guard let key else { return nil }
        return ControlRecord.deletion(of: String(decoding: key, as: UTF8.self), at: at).map(ControlOrder.source)
    }

    private static func record(
        _ act: ControlRecord.Act,
        _ document: JSONValue
    ) throws(ControlRecordError) -> ControlRecord {
        let at = try time("at", in: document)
        let name = try text("by", in: document)
        let source = try text("source", in: document)
        let topic = try text("topic", in: document)
        if source != nil, topic != nil {
            throw ControlRecordError("/topic: an order is for a source or for a topic; give two orders")
        }
        let event = try event(of: topic, document)
        if event != nil, act == .pause || source != nil {
            throw ControlRecordError("/event: only a resume has an event, and then it has no source")
        }
        let scopes = [event.map(PauseScope.event), topic.map(PauseScope.topic), source.map(PauseScope.source)]
        return ControlRecord(
            act,
            scopes.compactMap(\.self).first ?? .all,
            by: name.map(ControlRecord.Author.person) ?? .volumeLimit,
            reason: reason(document),
            at: at
        )
    }

    /// Decodes the event of a resume; `nil` if it has none.
    private static func event(
        of topic: String?,
        _ document: JSONValue
    ) throws(ControlRecordError) -> ResumedEvent? {
        // A story without its event would be read as a resume of everything.
        guard document[member: "event"] != nil || document[member: "story"] != nil else { return nil }
        guard let topic else { throw ControlRecordError("/topic: must be the topic of the event") }
        guard let partition = try number("partition", in: document, 0...Int64(Int32.max)),
            let offset = try number("offset", in: document, 0...Int64.max)
        else { throw ControlRecordError("/offset: partition and offset of the event are missing") }
        return ResumedEvent(
            id: try requiredText("event", in: document),
            story: try requiredText("story", in: document),
            partition: TopicPartition(topic: topic, partition: Int32(partition)),
            offset: offset
        )
    }

    private static func reload(_ document: JSONValue) throws(ControlRecordError) -> ReloadOrder {
        var limits: [PlanDifference.Kind: Int] = [:]
        if let given = document[member: "limits"] {
            guard case .object(let members) = given else {
                throw ControlRecordError("/limits: must be an object of numbers")
            }
            for member in members {
                let kind = try kind(member.name, at: "/limits")
                limits[kind] = try number(member.name, in: given, 0...Int64(mostEvents)).map { Int($0) }
            }
        }
        return ReloadOrder(
            events: try number("canary", in: document, 0...Int64(mostEvents)).map { Int($0) },
            announced: try announced(document),
            limits: limits,
            by: try requiredText("by", in: document),
            reason: reason(document),
            at: try time("at", in: document)
        )
    }

    private static func logLevel(_ document: JSONValue) throws(ControlRecordError) -> LogLevelOrder {
        guard let level = document[member: "level"]?.string, level.utf8.count <= 16 else {
            throw ControlRecordError("/level: must be a level of the log, such as debug")
        }
        let at = try time("at", in: document)
        let until = try time("until", in: document)
        guard until <= at + LogLevelOrder.longest else {
            throw ControlRecordError("/until: must be at most a day after /at")
        }
        return LogLevelOrder(
            level: level,
            until: until,
            by: try requiredText("by", in: document),
            reason: reason(document),
            at: at
        )
    }

    private static func announced(_ document: JSONValue) throws(ControlRecordError) -> Set<PlanDifference.Kind> {
        guard let given = document[member: "announce"] else { return [] }
        guard case .array(let items) = given else { throw ControlRecordError("/announce: must be a list") }
        var kinds: Set<PlanDifference.Kind> = []
        for item in items { kinds.insert(try kind(item.string ?? "", at: "/announce")) }
        return kinds
    }

    private static func kind(_ name: String, at place: String) throws(ControlRecordError) -> PlanDifference.Kind {
        guard let kind = PlanDifference.Kind(rawValue: name), kind != .same else {
            throw ControlRecordError("\(place): takes \(CanaryTerms.kinds.map(\.rawValue).joined(separator: ", "))")
        }
        return kind
    }

    private static func number(
        _ name: String,
        in document: JSONValue,
        _ range: ClosedRange<Int64>
    ) throws(ControlRecordError) -> Int64? {
        guard let value = document[member: name] else { return nil }
        guard let number = value.int64, range.contains(number) else {
            throw ControlRecordError("/\(name): must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Decodes an instant.
    private static func time(_ name: String, in document: JSONValue) throws(ControlRecordError) -> Timestamp {
        guard let time = document[member: name]?.string.flatMap({ Timestamp(rfc3339: $0) }) else {
            throw ControlRecordError("/\(name): must be a date-time of RFC 3339")
        }
        return time
    }

    private static func text(_ name: String, in document: JSONValue) throws(ControlRecordError) -> String? {
        document[member: name] == nil ? nil : try requiredText(name, in: document)
    }

    private static func requiredText(_ name: String, in document: JSONValue) throws(ControlRecordError) -> String {
        guard let text = document[member: name]?.string, !text.isEmpty, text.utf8.count <= longestName else {
            throw ControlRecordError("/\(name): must be a text of 1 to \(longestName) bytes")
        }
        return text
    }

    private static func reason(_ document: JSONValue) -> String {
        (document[member: "reason"]?.string ?? "").prefixOfUTF8(longestReason)
    }
}

/// The reason why a record of the control topic is not a valid order.
package struct ControlRecordError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
