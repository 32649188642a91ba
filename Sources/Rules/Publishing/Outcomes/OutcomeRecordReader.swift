import NewsflashEvents
import NewsflashRendering
import NewsflashStrictJSON
import NewsflashTimestamps
import NewsflashTopicPartitions

/// Decodes the values of the outcome topic.
///
/// Checks only used members, and ignores unknown ones, because a newer worker may write more.
package enum OutcomeRecordReader {
    private typealias Members = RecordMembers<OutcomeRecordError>

    /// Decodes a record.
    ///
    /// - Parameter value: The whole value.
    /// - Returns: The record that ``OutcomeRecord/json`` encoded, with times cut to milliseconds.
    /// - Throws: The first fault with its path.
    package static func read(_ value: Span<UInt8>) throws(OutcomeRecordError) -> OutcomeRecord {
        let document: JSONValue
        do throws(JSONError) {
            document = try JSONReader.read(value)
        } catch {
            throw OutcomeRecordError(error.path, "\(error.message) at byte \(error.offset)")
        }
        let record = try Members(document, at: "")
        guard try record.integer("v") == 1 else {
            throw OutcomeRecordError("/v", "must be 1: other versions of the record are not supported")
        }
        return OutcomeRecord(
            OutcomeRecord.Fields(
                event: try record.text("event") ?? "",
                source: try record.text("source"),
                story: try record.text("story") ?? "",
                revision: max(0, try record.integer("revision") ?? 0),
                kind: try record.text("kind") ?? "",
                categories: try record.texts("categories"),
                origin: try origin(try record.object("origin")),
                group: try record.text("group"),
                config: try record.text("config") ?? "",
                at: try record.required(try record.time("at"), "at"),
                verdict: EventVerdict(
                    try record.required(try record.choice("outcome"), "outcome"),
                    try record.text("reason"),
                    try record.text("detail")
                ),
                isFinal: try record.required(try record.truth("final"), "final"),
                isSecure: try record.text("delivery") == EventDelivery.secure.rawValue,
                traceparent: try record.text("traceparent"),
                timing: try record.objectIfPresent("timing").map(timing) ?? OutcomeRecord.Timing(),
                warnings: try record.texts("warn"),
                targets: try targets(record),
                replay: try record.objectIfPresent("replay").map(replay),
                records: try record.integer("records")
            )
        )
    }

    private static func origin(_ members: Members) throws(OutcomeRecordError) -> RecordOrigin {
        let number = try members.required(try members.integer("partition"), "partition")
        guard let partition = Int32(exactly: number), partition >= 0 else {
            throw members.fault("partition", "must be the number of a partition")
        }
        return RecordOrigin(
            partition: TopicPartition(
                topic: try members.required(try members.text("topic"), "topic"),
                partition: partition
            ),
            offset: try members.required(try members.integer("offset"), "offset"),
            timestamp: try members.time("timestamp")
        )
    }

    private static func replay(_ members: Members) throws(OutcomeRecordError) -> ReplayMark {
        let place = try members.required(try members.text("of"), "of").split(separator: "@")
        guard place.count == 2, let partition = Int32(place[0]), let offset = Int64(place[1]) else {
            throw members.fault("of", "must be partition@offset")
        }
        return ReplayMark(
            id: try members.required(try members.text("id"), "id"),
            partition: partition,
            offset: offset,
            onlyTag: try members.text("onlyTag"),
            isAgain: try members.truth("again") ?? false,
            at: try members.required(try members.time("at"), "at")
        )
    }

    private static func timing(_ members: Members) throws(OutcomeRecordError) -> OutcomeRecord.Timing {
        var timing = OutcomeRecord.Timing()
        timing.broker = try members.number("broker")
        timing.consumed = try members.number("consumed")
        timing.firstSend = try members.number("firstSend")
        timing.firstAccept = try members.number("firstAccept")
        timing.lastAccept = try members.number("lastAccept")
        return timing
    }

    private static func targets(_ record: Members) throws(OutcomeRecordError) -> [OutcomeRecord.Target] {
        var targets: [OutcomeRecord.Target] = []
        for members in try record.objects("targets") {
            var request = OutcomeRecord.Request(
                hub: try members.required(try members.text("hub"), "hub"),
                platform: try members.required(try members.text("platform"), "platform"),
                tags: try members.required(try members.text("tags"), "tags")
            )
            request.locale = try members.text("locale")
            request.textFrom = try members.text("textFrom")
            request.template = try members.text("template")
            request.interruption = try members.choice("interruption")
            request.bytes = try members.integer("bytes").map(Int.init(clamping:))
            request.isTruncated = try members.truth("truncated") ?? false
            request.digest = try members.text("digest")
            var report = OutcomeRecord.Report()
            report.status = try members.required(try members.choice("status"), "status")
            report.httpStatus = try members.integer("httpStatus").map(Int.init(clamping:))
            report.notificationID = try members.text("notificationId")
            report.trackingID = try members.text("trackingId")
            report.attempts = Int(clamping: try members.required(try members.integer("attempts"), "attempts"))
            report.acceptedAt = try members.time("acceptedAt")
            report.error = try members.text("error")
            targets.append(OutcomeRecord.Target(request, report))
        }
        return targets
    }
}

/// The reason why a record of the outcome topic cannot be decoded.
package struct OutcomeRecordError: Error, RecordMemberError, Sendable, Equatable, CustomStringConvertible {
    /// The member, as a JSON Pointer; empty for the whole record.
    package let path: String
    /// A description of the fault, without any content of the record.
    package let message: String

    init(_ path: String, _ message: String) {
        self.path = path
        self.message = message
    }

    package var description: String { path.isEmpty ? message : "\(path): \(message)" }
}
