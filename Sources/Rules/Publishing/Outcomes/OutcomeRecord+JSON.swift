import NewsflashEvents
import NewsflashRendering
import NewsflashStrictJSON
import NewsflashTimestamps
import NewsflashTopicPartitions
import NotificationHubs

extension OutcomeRecord {
    /// The value of the outcome topic's record.
    package var json: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2048)
        appendJSON(to: &bytes)
        return bytes
    }

    /// Appends ``json`` to bytes, without another array.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to append to.
    ///   - group: The consumer group that writes it; `nil` for the group in the record.
    package func appendJSON(to bytes: inout [UInt8], by group: String? = nil) {
        bytes.write { storage.fields.write(by: group ?? storage.fields.group, into: &$0) }
    }
}

extension OutcomeRecord.Fields {
    fileprivate func write(by group: String?, into writer: inout JSONWriter) {
        writer.member("v", 1)
        // Members of an invalid record that could not be decoded are absent.
        if !event.isEmpty { writer.member("event", event) }
        writer.member("source", source)
        if !story.isEmpty { writer.member("story", story) }
        if revision > 0 { writer.member("revision", revision) }
        if !kind.isEmpty { writer.member("kind", kind) }
        if !categories.isEmpty { writer.member("categories", categories) }
        writer.member("outcome", verdict.outcome.rawValue)
        writer.member("reason", verdict.reason)
        writer.member("detail", beginningOf: verdict.detail)
        writer.member("final", isFinal)
        if isSecure { writer.member("delivery", EventDelivery.secure.rawValue) }
        writer.member("at", instant: at)
        writer.name("origin")
        writer.beginObject()
        writer.member("topic", origin.partition.topic)
        writer.member("partition", Int64(origin.partition.partition))
        writer.member("offset", origin.offset)
        writer.member("timestamp", instant: origin.timestamp)
        writer.endObject()
        writer.member("records", records)
        writer.member("group", group)
        writer.member("config", config)
        writer.member("traceparent", traceparent)
        if let replay { write(replay, into: &writer) }
        timing.write(into: &writer)
        if !warnings.isEmpty { writer.member("warn", warnings) }
        if !targets.isEmpty { writer.member("targets", objects: targets) { $1.write(into: &$0) } }
    }

    private func write(_ replay: ReplayMark, into writer: inout JSONWriter) {
        writer.name("replay")
        writer.beginObject()
        writer.member("id", replay.id)
        writer.member("of", replay.origin)
        writer.member("onlyTag", replay.onlyTag)
        if replay.isAgain { writer.member("again", true) }
        writer.member("at", instant: replay.at)
        writer.endObject()
    }
}

extension OutcomeRecord.Timing {
    fileprivate func write(into writer: inout JSONWriter) {
        guard self != OutcomeRecord.Timing() else { return }
        writer.name("timing")
        writer.beginObject()
        writer.member("broker", milliseconds: broker)
        writer.member("consumed", milliseconds: consumed)
        writer.member("firstSend", milliseconds: firstSend)
        writer.member("firstAccept", milliseconds: firstAccept)
        writer.member("lastAccept", milliseconds: lastAccept)
        writer.endObject()
    }
}

extension OutcomeRecord.Target {
    fileprivate func write(into writer: inout JSONWriter) {
        let request = request
        writer.member("hub", request.hub)
        writer.member("platform", request.platform)
        writer.member("tags", request.tags)
        writer.member("locale", request.locale)
        writer.member("textFrom", request.textFrom)
        writer.member("template", request.template)
        writer.member("status", report.status.rawValue)
        if let httpStatus = report.httpStatus { writer.member("httpStatus", httpStatus) }
        writer.member("notificationId", report.notificationID)
        writer.member("trackingId", report.trackingID)
        writer.member("interruption", request.interruption?.rawValue)
        writer.member("attempts", report.attempts)
        if let bytes = request.bytes { writer.member("bytes", bytes) }
        writer.member("digest", request.digest)
        if request.isTruncated { writer.member("truncated", true) }
        writer.member("acceptedAt", instant: report.acceptedAt)
        writer.member("error", beginningOf: report.error)
    }
}

extension JSONWriter {
    /// Writes a member with an instant, cut to milliseconds; nothing if the value is `nil`.
    fileprivate mutating func member(_ name: StaticString, instant: Timestamp?) {
        guard let instant else { return }
        member(name, plainAtMost: Timestamp.lengthOfRFC3339) { instant.appendRFC3339(to: &$0) }
    }

    /// Writes a member with a number of milliseconds, with microseconds; nothing if the value is `nil`.
    fileprivate mutating func member(_ name: StaticString, milliseconds number: Double?) {
        guard let number else { return }
        self.name(name)
        milliseconds(number)
    }

    /// Writes a member of at most 1024 bytes; nothing if the value is `nil`.
    fileprivate mutating func member(_ name: StaticString, beginningOf text: String?) {
        guard let text else { return }
        member(name, text.prefixOfUTF8(1024))
    }
}

extension [UInt8] {
    /// Appends an object whose members the closure writes.
    mutating func write(_ members: (inout JSONWriter) -> Void) {
        var writer = JSONWriter(appendingTo: self)
        // The writer appends in place, because it is the only owner.
        self = []
        writer.beginObject()
        members(&writer)
        writer.endObject()
        self = writer.finish()
    }
}

extension String {
    /// The longest prefix of whole characters that fits into `limit` bytes.
    package func prefixOfUTF8(_ limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        while end > startIndex, end.samePosition(in: self) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
