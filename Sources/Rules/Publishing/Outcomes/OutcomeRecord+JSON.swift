import NewsEvents
import NotificationHubs
import Rendering
import StrictJSON
import Timestamps
import TopicPartitions

extension OutcomeRecord {
    /// The value of the outcome topic's record.
    package var json: [UInt8] {
        var bytes: [UInt8] = []
        appendJSON(to: &bytes)
        return bytes
    }

    /// Appends ``json`` to bytes, without another array.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to append to.
    ///   - group: The consumer group that writes it; `nil` for the group in the record.
    package func appendJSON(to bytes: inout [UInt8], by group: String? = nil) {
        bytes.append(expecting: 2048) { write(by: group ?? self.group, into: &$0) }
    }

    private func write(by group: String?, into output: inout OutputSpan<UInt8>) {
        output.write(#"{"v":1"#)
        // Members of an invalid record that could not be decoded are absent.
        if !event.isEmpty { output.write(#","event":"#, quoted: event) }
        output.write(#","source":"#, quoted: source)
        if !story.isEmpty { output.write(#","story":"#, quoted: story) }
        if revision > 0 { output.write(#","revision":"#, integer: revision) }
        if !kind.isEmpty { output.write(#","kind":"#, quoted: kind) }
        output.list(#","categories":["#, categories) { $1.write(quoted: $0) }
        output.write(#","outcome":"#, quoted: verdict.outcome.rawValue)
        output.write(#","reason":"#, quoted: verdict.reason)
        output.write(#","detail":"#, quotedBeginningOf: verdict.detail)
        if isFinal { output.write(#","final":true"#) } else { output.write(#","final":false"#) }
        if isSecure { output.write(#","delivery":"#, quoted: EventDelivery.secure.rawValue) }
        output.write(#","at":"#, instant: at)
        output.write(#","origin":{"topic":"#, quoted: origin.partition.topic)
        output.write(#","partition":"#, integer: Int64(origin.partition.partition))
        output.write(#","offset":"#, integer: origin.offset)
        output.write(#","timestamp":"#, instant: origin.timestamp)
        output.write("}")
        if let records { output.write(#","records":"#, integer: records) }
        output.write(#","group":"#, quoted: group)
        output.write(#","config":"#, quoted: config)
        output.write(#","traceparent":"#, quoted: traceparent)
        if let replay { write(replay, into: &output) }
        timing.write(into: &output)
        output.list(#","warn":["#, warnings) { $1.write(quoted: $0) }
        output.list(#","targets":["#, targets) { $0.write(into: &$1) }
        output.write("}")
    }

    private func write(_ replay: ReplayMark, into output: inout OutputSpan<UInt8>) {
        output.write(#","replay":{"id":"#, quoted: replay.id)
        output.write(#","of":"#, quoted: replay.origin)
        output.write(#","onlyTag":"#, quoted: replay.onlyTag)
        if replay.isAgain { output.write(#","again":true"#) }
        output.write(#","at":"#, instant: replay.at)
        output.write("}")
    }
}

extension OutcomeRecord.Timing {
    fileprivate func write(into output: inout OutputSpan<UInt8>) {
        guard self != OutcomeRecord.Timing() else { return }
        output.write(#","timing":{"#)
        if let broker { output.write(#""broker":"#, milliseconds: broker) }
        if let consumed { output.write(#""consumed":"#, milliseconds: consumed) }
        if let firstSend { output.write(#""firstSend":"#, milliseconds: firstSend) }
        if let firstAccept { output.write(#""firstAccept":"#, milliseconds: firstAccept) }
        if let lastAccept { output.write(#""lastAccept":"#, milliseconds: lastAccept) }
        output.write("}")
    }
}

extension OutcomeRecord.Target {
    fileprivate func write(into output: inout OutputSpan<UInt8>) {
        let request = request
        output.write(#"{"hub":"#, quoted: request.hub)
        output.write(#","platform":"#, quoted: request.platform)
        output.write(#","tags":"#, quoted: request.tags)
        output.write(#","locale":"#, quoted: request.locale)
        output.write(#","textFrom":"#, quoted: request.textFrom)
        output.write(#","template":"#, quoted: request.template)
        output.write(#","status":"#, quoted: report.status.rawValue)
        if let httpStatus = report.httpStatus { output.write(#","httpStatus":"#, integer: Int64(httpStatus)) }
        output.write(#","notificationId":"#, quoted: report.notificationID)
        output.write(#","trackingId":"#, quoted: report.trackingID)
        output.write(#","interruption":"#, quoted: request.interruption?.rawValue)
        output.write(#","attempts":"#, integer: Int64(report.attempts))
        if let bytes = request.bytes { output.write(#","bytes":"#, integer: Int64(bytes)) }
        output.write(#","digest":"#, quoted: request.digest)
        if request.isTruncated { output.write(#","truncated":true"#) }
        output.write(#","acceptedAt":"#, instant: report.acceptedAt)
        output.write(#","error":"#, quotedBeginningOf: report.error)
        output.write("}")
    }
}

extension OutputSpan<UInt8> {
    /// Writes a member, or nothing if the value is `nil`.
    @inline(__always)
    fileprivate mutating func write(_ literal: StaticString, instant: Timestamp?) {
        guard let instant else { return }
        write(literal, plainAtMost: Timestamp.lengthOfRFC3339) { instant.appendRFC3339(to: &$0) }
    }

    /// Writes a member of milliseconds, with microseconds, into an object that may have none before it.
    @inline(__always)
    fileprivate mutating func write(_ literal: StaticString, milliseconds: Double) {
        separate()
        write(literal)
        write(milliseconds: milliseconds)
    }

    /// Writes a member of at most 1024 bytes, or nothing if the value is `nil`.
    fileprivate mutating func write(_ literal: StaticString, quotedBeginningOf text: String?) {
        guard let text else { return }
        write(literal, quoted: text.prefixOfUTF8(1024))
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
