import StrictJSON
package import Timestamps

/// Writes and reads all records of the control topic; those that hold and release are ``ControlRecordCodec``'s.
///
/// ```json
/// {"v":1,"act":"reload","canary":200,"within":600,"announce":["words"],"by":"ed:novak","reason":"new words for a flash",
///  "at":"2026-03-02T08:40:00.050Z"}
/// {"v":1,"act":"logLevel","level":"debug","until":"2026-03-02T09:10:00.050Z","by":"ops:kim","reason":"refusals of the hub",
///  "at":"2026-03-02T08:40:00.050Z"}
/// ```
///
/// `within` is in seconds; without `canary`, `within`, `announce` or `limits` each worker's configuration says it.
package enum ControlOrderCodec {
    /// As many as anybody would wait for.
    package static let mostEvents = 100_000
    /// A trial that outlasts a day is none.
    package static let longestTrial = Duration.seconds(86_400)
    private static let longestName = 256

    /// Writes an order.
    ///
    /// - Parameter order: An unknown one is written as what is known of it.
    /// - Returns: The whole value.
    package static func encode(_ order: ControlOrder) -> [UInt8] {
        switch order {
        case .source(let record): ControlRecordCodec.encode(record)
        case .reload(let order): encode(order)
        case .logLevel(let order):
            written(as: "logLevel", by: order.by, order.reason, order.at) { writer in
                writer.member("level", order.level)
                writer.member("until", order.until.rfc3339)
            }
        case .unknown(let act): written(as: act, by: "", "", Timestamp(seconds: 0)) { _ in }
        }
    }

    private static func encode(_ order: ReloadOrder) -> [UInt8] {
        written(as: "reload", by: order.by, order.reason, order.at) { writer in
            if let events = order.events { writer.member("canary", Int64(events)) }
            if let within = order.within { writer.member("within", within.components.seconds) }
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
    }

    private static func written(
        as act: String,
        by author: String,
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
        writer.member("reason", reason.prefixOfUTF8(ControlRecordCodec.longestReason))
        writer.member("at", at.rfc3339)
        writer.endObject()
        return writer.takeBytes()
    }

    /// Reads an order.
    ///
    /// - Parameter value: The whole value.
    /// - Returns: The order; ``ControlOrder/unknown(act:)`` for an act that this version does not know.
    /// - Throws: What is wrong with it, and where.
    package static func decode(_ value: Span<UInt8>) throws(ControlRecordError) -> ControlOrder {
        let document = try ControlRecordCodec.document(value)
        guard let act = document[member: "act"]?.string else {
            throw ControlRecordError("/act: must be the name of an act, such as hold")
        }
        switch act {
        case "reload": return .reload(try reload(document))
        case "logLevel": return .logLevel(try logLevel(document))
        case _ where ControlRecord.Act(rawValue: act) != nil:
            return .source(try ControlRecordCodec.record(document))
        default: return .unknown(act: act.prefixOfUTF8(longestName))
        }
    }

    /// Reads a record of the control topic.
    ///
    /// - Parameters:
    ///   - key: Its key.
    ///   - value: Its value; `nil` for a tombstone, which releases the scope that the key names.
    ///   - at: When the record was written.
    /// - Returns: The order; `nil` for a tombstone of another kind of order.
    /// - Throws: ``ControlRecordError`` with the member that is wrong.
    package static func decode(
        key: [UInt8]?,
        value: [UInt8]?,
        at: Timestamp
    ) throws(ControlRecordError) -> ControlOrder? {
        if let value { return try decode(value.span) }
        guard let key, let scope = HoldScope(key: String(decoding: key, as: UTF8.self)) else { return nil }
        return .source(.deletion(of: scope, at: at))
    }

    private static func reload(_ document: JSONValue) throws(ControlRecordError) -> ReloadOrder {
        let seconds = try number("within", in: document, 1...longestTrial.components.seconds)
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
            within: seconds.map { .seconds($0) },
            announced: try announced(document),
            limits: limits,
            by: try author(document),
            reason: reason(document),
            at: try ControlRecordCodec.time("at", in: document)
        )
    }

    private static func logLevel(_ document: JSONValue) throws(ControlRecordError) -> LogLevelOrder {
        guard let level = document[member: "level"]?.string, level.utf8.count <= 16 else {
            throw ControlRecordError("/level: must be a level of the log, such as debug")
        }
        let at = try ControlRecordCodec.time("at", in: document)
        let until = try ControlRecordCodec.time("until", in: document)
        guard until <= at + LogLevelOrder.longest else {
            throw ControlRecordError("/until: must be at most a day after /at")
        }
        return LogLevelOrder(level: level, until: until, by: try author(document), reason: reason(document), at: at)
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

    private static func author(_ document: JSONValue) throws(ControlRecordError) -> String {
        guard let name = document[member: "by"]?.string, !name.isEmpty, name.utf8.count <= longestName else {
            throw ControlRecordError("/by: must be a text of 1 to \(longestName) bytes")
        }
        return name
    }

    private static func reason(_ document: JSONValue) -> String {
        (document[member: "reason"]?.string ?? "").prefixOfUTF8(ControlRecordCodec.longestReason)
    }
}
