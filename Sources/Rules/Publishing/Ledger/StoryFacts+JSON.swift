import NewsEvents
import NotificationHubs
import Routing
import StrictJSON
import Timestamps

/// The members of a ledger's record, but for what waits and the sum; ``LedgerRecordCodec`` says what they mean.
extension StoryFacts {
    /// Writes the beginning of a record.
    ///
    /// - Parameters:
    ///   - story: The story.
    ///   - output: Where it goes.
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
        if let wordsOffset { output.write(#","words":"#, integer: wordsOffset) }
        output.list(#","text":["#, text) { $0.write(into: &$1) }
        output.list(#","earlier":["#, earlier) { $1.write("", hexadecimal: $0) }
        output.list(#","begun":["#, begun) { $1.write("", hexadecimal: $0) }
        output.list(#","pushes":["#, pushes) { $0.write(into: &$1) }
        output.list(#","audiences":["#, audiences) { $0.write(into: &$1) }
        closing.write(into: &output)
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
        output.write(#","locale":"#, quoted: audience.audience.locale)
        output.list(#","categories":["#, audience.audience.categories) { $1.write(quoted: $0) }
        if isForUsers { output.write(#","users":true"#) }
        output.write(#","act":"#, hexadecimal: act.id)
        output.write(#","kind":"#, quoted: act.kind.rawValue)
        output.write(#","revision":"#, integer: act.revision)
        output.write(#","at":"#, instant: act.at)
        if certainty != .accepted { output.write(#","certainty":"#, quoted: certainty.rawValue) }
        if isFollowUp { output.write(#","followUp":true"#) }
        output.write("}")
    }
}

extension StoryFacts.Closing {
    /// Whether both are ends of one event with one outcome, as repeats of it have.
    fileprivate func isRepeat(of other: Self) -> Bool {
        event == other.event && verdict == other.verdict && stage == other.stage
    }

    /// Writes all but the offset, and the end of the object.
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
    /// Writes neighbours that are repeats together.
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

extension OutputSpan<UInt8> {
    /// Writes a member with an instant, to the nanosecond where it is no whole millisecond.
    @inline(__always)
    fileprivate mutating func write(_ literal: StaticString, instant: Timestamp) {
        write(literal, plainAtMost: Timestamp.lengthOfExact) { instant.appendExact(to: &$0) }
    }

    /// Writes a member with a number of 64 bits, of which other readers of JSON would keep 53.
    @inline(__always)
    mutating func write(_ literal: StaticString, hexadecimal value: UInt64) {
        write(literal, plainAtMost: Hexadecimal.length) { Hexadecimal.append(value, to: &$0) }
    }
}
