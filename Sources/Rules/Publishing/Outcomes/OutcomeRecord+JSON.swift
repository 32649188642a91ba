import NewsEvents
import NotificationHubs
import Rendering
import StrictJSON
import Timestamps

extension OutcomeRecord {
    /// The value of the outcome topic's record.
    package var json: [UInt8] {
        var bytes: [UInt8] = []
        appendJSON(to: &bytes)
        return bytes
    }

    /// Appends ``json`` to bytes, without an array of its own.
    ///
    /// - Parameter bytes: Where it goes.
    package func appendJSON(to bytes: inout [UInt8]) {
        bytes.append(expecting: 2048) { storage.fields.write(into: &$0) }
    }

    /// The most bytes of a text for people.
    fileprivate static let longestText = 1024
}

extension OutcomeRecord.Fields {
    fileprivate func write(into output: inout OutputSpan<UInt8>) {
        output.write(#"{"v":1"#)
        // What could not be read of an invalid record is absent.
        if !event.isEmpty { output.write(#","event":"#, quoted: event) }
        output.write(#","source":"#, quoted: source)
        if !story.isEmpty { output.write(#","story":"#, quoted: story) }
        if revision > 0 { output.write(#","revision":"#, integer: revision) }
        if !kind.isEmpty { output.write(#","kind":"#, quoted: kind) }
        output.write(#","outcome":"#, quoted: verdict.outcome.rawValue)
        output.write(#","reason":"#, quoted: verdict.reason)
        output.write(#","detail":"#, quotedBeginningOf: verdict.detail)
        if isFinal { output.write(#","final":true"#) } else { output.write(#","final":false"#) }
        if isSecure { output.write(#","delivery":"#, quoted: EventDelivery.secure.rawValue) }
        output.write(#","at":"#, instant: at)
        output.write(#","origin":{"topic":"#, quoted: origin.partition.topic)
        output.write(#","partition":"#, integer: Int64(origin.partition.number))
        output.write(#","offset":"#, integer: origin.offset)
        output.write(#","timestamp":"#, instant: origin.timestamp)
        output.write(#"},"config":"#, quoted: config)
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
        switch asked {
        case .planned(let send):
            report.write(
                hub: send.hub,
                platform: send.platform,
                tags: send.expression.description,
                locale: send.locale,
                textFrom: send.textFrom,
                template: send.template,
                interruption: send.interruption,
                bytes: send.message.body.count,
                isTruncated: send.isTruncated,
                into: &output
            ) { output in
                let digest = RequestDigest(of: send)
                output.write(#","digest":"#, plainAtMost: RequestDigest.length) { digest.append(to: &$0) }
            }
        case .noted(let request):
            report.write(
                hub: request.hub,
                platform: request.platform,
                tags: request.tags,
                locale: request.locale,
                textFrom: request.textFrom,
                template: request.template,
                interruption: request.interruption,
                bytes: request.bytes,
                isTruncated: request.isTruncated,
                into: &output
            ) { $0.write(#","digest":"#, quoted: request.digest) }
        }
    }
}

extension OutcomeRecord.Report {
    /// Writes it together with the request, whose parts are borrowed one by one: a copy would count each string once more.
    @inline(never)
    fileprivate func write(
        hub: String,
        platform: String,
        tags: String,
        locale: String?,
        textFrom: String?,
        template: String?,
        interruption: InterruptionLevel?,
        bytes: Int?,
        isTruncated: Bool,
        into output: inout OutputSpan<UInt8>,
        digest: (inout OutputSpan<UInt8>) -> Void
    ) {
        output.write(#"{"hub":"#, quoted: hub)
        output.write(#","platform":"#, quoted: platform)
        output.write(#","tags":"#, quoted: tags)
        output.write(#","locale":"#, quoted: locale)
        output.write(#","textFrom":"#, quoted: textFrom)
        output.write(#","template":"#, quoted: template)
        output.write(#","status":"#, quoted: status.rawValue)
        if let httpStatus { output.write(#","httpStatus":"#, integer: Int64(httpStatus)) }
        output.write(#","notificationId":"#, quoted: notificationID)
        output.write(#","trackingId":"#, quoted: trackingID)
        if let interruption { output.write(#","interruption":"#, quoted: interruption.rawValue) }
        output.write(#","attempts":"#, integer: Int64(attempts))
        if let bytes { output.write(#","bytes":"#, integer: Int64(bytes)) }
        digest(&output)
        if isTruncated { output.write(#","truncated":true"#) }
        output.write(#","acceptedAt":"#, instant: acceptedAt)
        output.write(#","error":"#, quotedBeginningOf: error)
        output.write("}")
    }
}

extension OutputSpan<UInt8> {
    /// Writes a member, or nothing where there is no value.
    @inline(__always)
    fileprivate mutating func write(_ literal: StaticString, instant: Timestamp?) {
        guard let instant else { return }
        write(literal, plainAtMost: Timestamp.lengthOfRFC3339) { instant.appendRFC3339(to: &$0) }
    }

    /// Writes a member of an object that may have none before it: milliseconds to the microsecond.
    @inline(__always)
    fileprivate mutating func write(_ literal: StaticString, milliseconds: Double) {
        separate()
        write(literal)
        write(milliseconds: milliseconds)
    }

    /// Writes a member, no longer than what people read of it, or nothing where there is no value.
    fileprivate mutating func write(_ literal: StaticString, quotedBeginningOf text: String?) {
        guard let text else { return }
        write(literal, quoted: text.prefixOfUTF8(OutcomeRecord.longestText))
    }
}

extension String {
    /// The longest beginning of whole characters that fits into so many bytes.
    package func prefixOfUTF8(_ limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        while end > startIndex, end.samePosition(in: self) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
