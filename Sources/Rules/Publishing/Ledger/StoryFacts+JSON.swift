import NewsflashEvents
import NewsflashRouting
import NewsflashSigning
import NewsflashStrictJSON
import NewsflashTimestamps
import NotificationHubs

/// The members of a ledger record, except the sum; ``LedgerRecordCodec`` explains them.
extension StoryFacts {
    func write(of story: String, into writer: inout JSONWriter) {
        writer.member("v", LedgerRecordCodec.version)
        writer.member("story", story)
        if phase != .open { writer.member("phase", phase.rawValue) }
        writer.member("revision", revision)
        if passedRevision > 0 { writer.member("passed", passedRevision) }
        if !isFinal { writer.member("final", false) }
        if isSecure { writer.member("secure", true) }
        writer.member("event", eventID)
        writer.member("source", source)
        writer.member("kind", kind.rawValue)
        writer.member("digest", hexadecimal: digest.value)
        writer.member("changed", exactly: changedAt)
        if term > 0 { writer.member("term", term) }
        processed.write(into: &writer)
        writer.member("embargo", exactly: embargo)
        writer.member("words", wordsOffset)
        writer.member("withdrawal", withdrawalOffset)
        if isWithdrawalEarly { writer.member("early", true) }
        if !text.isEmpty { writer.member("text", objects: text) { $1.write(into: &$0) } }
        if !earlier.isEmpty { writer.member("earlier", each: earlier) { $0.value(hexadecimal: $1) } }
        if !begun.isEmpty { writer.member("begun", each: begun) { $0.value(hexadecimal: $1) } }
        if !replaced.isEmpty { writer.member("replaced", each: replaced) { $0.value(hexadecimal: $1) } }
        if !pushes.isEmpty { writer.member("pushes", objects: pushes) { $1.write(into: &$0) } }
        if !audiences.isEmpty { writer.member("audiences", objects: audiences) { $1.write(into: &$0) } }
        if !closing.isEmpty { closing.write(into: &writer) }
        if !waiting.isEmpty { writer.member("waiting", objects: waiting) { $1.write(into: &$0) } }
    }
}

extension ProcessedOffsets {
    fileprivate func write(into writer: inout JSONWriter) {
        guard through >= 0 || !ahead.isEmpty else { return }
        writer.name("processed")
        writer.beginObject()
        if through >= 0 { writer.member("through", through) }
        if !open.isEmpty { writer.member("open", each: open) { $0.value($1) } }
        if !ahead.isEmpty { writer.member("ahead", each: ahead) { $0.value($1) } }
        writer.endObject()
    }
}

extension EventText {
    fileprivate func write(into writer: inout JSONWriter) {
        writer.member("language", language)
        writer.member("headline", headline)
        writer.member("summary", summary)
    }
}

extension StoryFacts.Push {
    fileprivate func write(into writer: inout JSONWriter) {
        writer.member("at", exactly: at)
        writer.member("source", source)
        writer.member("words", hexadecimal: words)
        if !categories.isEmpty { writer.member("categories", categories) }
        if !isLoud { writer.member("silent", true) }
    }
}

extension AudienceFact {
    fileprivate func write(into writer: inout JSONWriter) {
        let planned = audience.planned
        writer.member("hub", hub)
        writer.member("format", audience.format)
        writer.member("tags", expression.description)
        writer.member("locale", planned.locale)
        if !planned.categories.isEmpty { writer.member("categories", planned.categories) }
        if isForUsers { writer.member("users", true) }
        writer.member("act", hexadecimal: act.id)
        writer.member("kind", act.kind.rawValue)
        writer.member("revision", act.revision)
        writer.member("at", exactly: act.at)
        if certainty != .accepted { writer.member("certainty", certainty.rawValue) }
        if isFollowUp { writer.member("followUp", true) }
        if unanswered > 0 { writer.member("unanswered", unanswered) }
    }
}

extension StoryFacts.Closing {
    /// Whether both are ends of one event with one outcome, like its repeats.
    fileprivate func isRepeat(of other: Self) -> Bool {
        event == other.event && verdict == other.verdict && stage == other.stage
    }

    /// Writes everything except the offsets.
    fileprivate func writeEnd(into writer: inout JSONWriter) {
        writer.member("event", event)
        writer.member("outcome", verdict.outcome.rawValue)
        writer.member("reason", verdict.reason)
        writer.member("detail", verdict.detail)
        if stage != .send { writer.member("stage", stage.rawValue) }
    }
}

extension [StoryFacts.Closing] {
    /// Writes consecutive repeats together.
    fileprivate func write(into writer: inout JSONWriter) {
        var start = 0
        writer.name("closing")
        writer.beginArray()
        while start < count {
            let end = self[start...].firstIndex { !$0.isRepeat(of: self[start]) } ?? count
            writer.beginObject()
            writer.member("offsets", each: self[start..<end]) { $0.value($1.offset) }
            self[start].writeEnd(into: &writer)
            writer.endObject()
            start = end
        }
        writer.endArray()
    }
}

extension StoryFacts.Waiting {
    fileprivate func write(into writer: inout JSONWriter) {
        writer.member("offset", offset)
        writer.member("timestamp", exactly: timestamp)
        writer.member("consumed", exactly: consumedAt)
        writer.member("until", exactly: until)
        writer.member("reason", reason.rawValue)
        writer.member("source", source)
        writer.member("paused", exactly: pausedAt)
        if isSuspected { writer.member("suspected", true) }
        if isExpress { writer.member("express", true) }
        if hasEnded { writer.member("ended", true) }
        if !hubs.isEmpty { writer.member("hubs", hubs) }
        writer.member("attempts", attempts)
        writer.member("key", key, base64: "key_base64")
        writer.member("value", value, base64: "value_base64")
        guard !headers.isEmpty else { return }
        writer.member("headers", objects: headers) { writer, header in
            writer.member("name", header.name)
            writer.member("value", header.value, base64: "value_base64")
        }
    }
}

extension JSONWriter {
    /// Writes bytes as a string, or in base 64 under another name if they are not UTF-8; nothing if they are `nil`.
    fileprivate mutating func member(_ name: StaticString, _ bytes: [UInt8]?, base64 other: StaticString) {
        guard let bytes else { return }
        if let text = String(validating: bytes, as: UTF8.self) {
            member(name, text)
        } else {
            member(other, Base64.encode(bytes))
        }
    }

    /// Writes a member with an instant, with nanoseconds unless it is a whole millisecond; nothing if it is `nil`.
    fileprivate mutating func member(_ name: StaticString, exactly instant: Timestamp?) {
        guard let instant else { return }
        member(name, plainAtMost: Timestamp.lengthOfRFC3339 + 6) { instant.appendExact(to: &$0) }
    }

    /// Writes a member with a 64-bit number, because other JSON readers would keep only 53 bits of an integer.
    mutating func member(_ name: StaticString, hexadecimal number: UInt64) {
        self.name(name)
        value(hexadecimal: number)
    }

    fileprivate mutating func value(hexadecimal number: UInt64) {
        value(plainAtMost: 16) { $0.append(hexadecimalDigitsOf: number) }
    }
}

extension Timestamp {
    /// Appends the instant in RFC 3339, with nanoseconds unless it is a whole millisecond.
    fileprivate func appendExact(to output: inout OutputSpan<UInt8>) {
        appendRFC3339(to: &output)
        var rest = ((nanoseconds % 1_000_000) + 1_000_000) % 1_000_000
        guard rest > 0 else { return }
        // Six more digits replace the last letter.
        output.append(repeating: UInt8(ascii: "Z"), count: 6)
        for place in (output.count - 7..<output.count - 1).reversed() {
            output[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}
