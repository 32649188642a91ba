import NewsEvents
import NotificationHubs
import Routing
import Signing
import StrictJSON
import Timestamps

/// The members of a ledger record, except the sum; ``LedgerRecordCodec`` explains them.
extension StoryFacts {
    func write(of story: String, into output: inout OutputSpan<UInt8>) {
        output.write(#"{"v":2,"story":"#, quoted: story)
        if phase != .open { output.write(#","phase":"#, quoted: phase.rawValue) }
        output.write(#","revision":"#, integer: revision)
        if passedRevision > 0 { output.write(#","passed":"#, integer: passedRevision) }
        if !isFinal { output.write(#","final":false"#) }
        if isSecure { output.write(#","secure":true"#) }
        output.write(#","event":"#, quoted: eventID)
        output.write(#","source":"#, quoted: source)
        output.write(#","kind":"#, quoted: kind.rawValue)
        output.write(#","digest":"#, hexadecimal: digest.value)
        output.write(#","changed":"#, instant: changedAt)
        if term > 0 { output.write(#","term":"#, integer: term) }
        processed.write(into: &output)
        if let embargo { output.write(#","embargo":"#, instant: embargo) }
        if let wordsOffset { output.write(#","words":"#, integer: wordsOffset) }
        if let withdrawalOffset { output.write(#","withdrawal":"#, integer: withdrawalOffset) }
        output.list(#","text":["#, text) { $0.write(into: &$1) }
        output.list(#","earlier":["#, earlier) { $1.write("", hexadecimal: $0) }
        output.list(#","begun":["#, begun) { $1.write("", hexadecimal: $0) }
        output.list(#","pushes":["#, pushes) { $0.write(into: &$1) }
        output.list(#","audiences":["#, audiences) { $0.write(into: &$1) }
        closing.write(into: &output)
        output.list(#","waiting":["#, waiting) { $0.write(into: &$1) }
    }
}

extension ProcessedOffsets {
    fileprivate func write(into output: inout OutputSpan<UInt8>) {
        guard through >= 0 || !ahead.isEmpty else { return }
        output.write(#","processed":{"#)
        if through >= 0 { output.write(#""through":"#, integer: through) }
        if !open.isEmpty { output.list(#","open":["#, open) { $1.write(integer: $0) } }
        if !ahead.isEmpty {
            output.separate()
            output.list(#""ahead":["#, ahead) { $1.write(integer: $0) }
        }
        output.write("}")
    }
}

extension EventText {
    fileprivate func write(into output: inout OutputSpan<UInt8>) {
        output.write(#"{"language":"#, quoted: language)
        output.write(#","headline":"#, quoted: headline)
        output.write(#","summary":"#, quoted: summary)
        output.write("}")
    }
}

extension StoryFacts.Push {
    fileprivate func write(into output: inout OutputSpan<UInt8>) {
        output.write(#"{"at":"#, instant: at)
        output.write(#","source":"#, quoted: source)
        output.write(#","words":"#, hexadecimal: words)
        output.list(#","categories":["#, categories) { $1.write(quoted: $0) }
        if !isLoud { output.write(#","silent":true"#) }
        output.write("}")
    }
}

extension AudienceFact {
    fileprivate func write(into output: inout OutputSpan<UInt8>) {
        output.write(#"{"hub":"#, quoted: hub)
        output.write(#","format":"#, quoted: audience.format)
        output.write(#","tags":"#, quoted: expression.description)
        output.write(#","locale":"#, quoted: audience.planned.locale)
        output.list(#","categories":["#, audience.planned.categories) { $1.write(quoted: $0) }
        if isForUsers { output.write(#","users":true"#) }
        output.write(#","act":"#, hexadecimal: act.id)
        output.write(#","kind":"#, quoted: act.kind.rawValue)
        output.write(#","revision":"#, integer: act.revision)
        output.write(#","at":"#, instant: act.at)
        if certainty != .accepted { output.write(#","certainty":"#, quoted: certainty.rawValue) }
        if isFollowUp { output.write(#","followUp":true"#) }
        if unanswered > 0 { output.write(#","unanswered":"#, integer: Int64(unanswered)) }
        output.write("}")
    }
}

extension StoryFacts.Closing {
    /// Whether both are ends of one event with one outcome, like its repeats.
    fileprivate func isRepeat(of other: Self) -> Bool {
        event == other.event && verdict == other.verdict && stage == other.stage
    }

    /// Writes everything except the offsets, and the end of the object.
    fileprivate func writeEnd(into output: inout OutputSpan<UInt8>) {
        output.write(#","event":"#, quoted: event)
        output.write(#","outcome":"#, quoted: verdict.outcome.rawValue)
        output.write(#","reason":"#, quoted: verdict.reason)
        output.write(#","detail":"#, quoted: verdict.detail)
        if stage != .send { output.write(#","stage":"#, quoted: stage.rawValue) }
        output.write("}")
    }
}

extension [StoryFacts.Closing] {
    /// Writes consecutive repeats together.
    fileprivate func write(into output: inout OutputSpan<UInt8>) {
        guard !isEmpty else { return }
        var start = 0
        output.write(#","closing":["#)
        while start < count {
            if start > 0 { output.write(",") }
            let end = self[start...].firstIndex { !$0.isRepeat(of: self[start]) } ?? count
            output.write(#"{"offsets":["#)
            output.write(each: span.extracting(start..<end), separatedBy: ",") { $1.write(integer: $0.offset) }
            output.write("]")
            self[start].writeEnd(into: &output)
            start = end
        }
        output.write("]")
    }
}

extension StoryFacts.Waiting {
    fileprivate func write(into output: inout OutputSpan<UInt8>) {
        output.write(#"{"offset":"#, integer: offset)
        if let timestamp { output.write(#","timestamp":"#, instant: timestamp) }
        output.write(#","consumed":"#, instant: consumedAt)
        if let until { output.write(#","until":"#, instant: until) }
        output.write(#","reason":"#, quoted: reason.rawValue)
        output.write(#","source":"#, quoted: source)
        if let heldAt { output.write(#","held":"#, instant: heldAt) }
        if isSuspected { output.write(#","suspected":true"#) }
        if isExpress { output.write(#","express":true"#) }
        if hasEnded { output.write(#","ended":true"#) }
        output.list(#","hubs":["#, hubs) { $1.write(quoted: $0) }
        output.write(#","attempts":"#, integer: Int64(attempts))
        output.write(key, #","key":"#, base64: #","key_base64":"#)
        output.write(value, #","value":"#, base64: #","value_base64":"#)
        output.list(#","headers":["#, headers) { header, output in
            output.write(#"{"name":"#, quoted: header.name)
            output.write(header.value, #","value":"#, base64: #","value_base64":"#)
            output.write("}")
        }
        output.write("}")
    }
}

extension OutputSpan<UInt8> {
    /// Writes bytes as a string, or in base 64 under another name if they are not UTF-8.
    fileprivate mutating func write(_ bytes: [UInt8]?, _ literal: StaticString, base64 other: StaticString) {
        guard let bytes else { return }
        if let text = String(validating: bytes, as: UTF8.self) {
            write(literal, quoted: text)
        } else {
            write(other, quoted: Base64.encode(bytes))
        }
    }

    /// Writes a member with an instant, with nanoseconds unless it is a whole millisecond.
    @inline(__always)
    fileprivate mutating func write(_ literal: StaticString, instant: Timestamp) {
        write(literal, plainAtMost: Timestamp.lengthOfRFC3339 + 6) { instant.appendExact(to: &$0) }
    }

    /// Writes a member with a 64-bit number, because other JSON readers would keep only 53 bits of an integer.
    @inline(__always)
    mutating func write(_ literal: StaticString, hexadecimal value: UInt64) {
        write(literal, plainAtMost: 16) { $0.append(hexadecimalDigitsOf: value) }
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
