import NewsflashKafka
import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTimestamps

/// The output of `dead-letters show`, including the text of the news.
package struct DeadLetterDetails {
    private let judged: AssessedDeadLetter
    private let body: DeadLetterBody
    private let topic: String
    private let forecast: RedriveForecast?

    /// - Parameters:
    ///   - judged: The dead letter and its state.
    ///   - body: The complete record.
    ///   - topic: The topic of dead letters.
    ///   - forecast: The result of sending it again now; `nil` without a configuration.
    package init(_ judged: AssessedDeadLetter, _ body: DeadLetterBody, topic: String, forecast: RedriveForecast?) {
        self.judged = judged
        self.body = body
        self.topic = topic
        self.forecast = forecast
    }

    /// The dead letter as a JSON object. Bytes that are not UTF-8 are in hexadecimal digits after `hex:`.
    package var json: [UInt8] {
        JSONWriter.object { writer in
            judged.write(into: &writer)
            writer.member("headers", objects: body.headers) { writer, header in
                writer.member("name", header.name)
                writer.member("value", header.value.map(BytesText.text))
            }
            writer.member("key", body.key.map(BytesText.text))
            writer.member("body", body.value.map(BytesText.text))
            guard let forecast else { return }
            writer.name("now")
            writer.beginObject()
            writer.member("result", forecast.label)
            writer.member("lines", forecast.lines)
            writer.endObject()
        }
    }

    /// The lines of the text.
    package var lines: [String] {
        let letter = judged.letter
        var lines = ["dead letter \(letter.place) of \(topic), \(state)"]
        lines.append("  \(letter.reason), found at \(letter.stage), \(letter.at.rfc3339)")
        if let detail = letter.detail { lines.append("  \(detail)") }
        lines.append("  \(letter.name), from \(letter.origin.partition) offset \(letter.origin.offset)")
        lines += ["", "headers"] + body.headers.map { "  \($0.name): \(Self.text($0.value))" }
        lines += ["", "key", "  \(Self.text(body.key))", "", "body"]
        if letter.isCut {
            lines.append(
                "  incomplete here, because it was too large for this topic: read the original, if it still exists"
            )
        }
        lines += Self.lines(of: body.value).map { "  " + $0 } + [""]
        guard let forecast else {
            return lines + ["what would happen now: unknown without a valid configuration; name one with --config"]
        }
        return lines + ["what would happen now, with this configuration:"] + forecast.lines.map { "  " + $0 }
    }

    private var state: String {
        switch judged.state {
        case .open:
            judged.letter.redrives == 0 ? "open" : "open, redriven \(counted(judged.letter.redrives, "time")) before"
        case .quarantined: "quarantined after \(counted(judged.letter.redrives, "redrive"))"
        case .redriven(let copy): "redriven to \(copy.place): \(copy.verdict?.line ?? "no outcome yet")"
        case .sentSince(let at): "its event was sent since, at \(at.rfc3339)"
        }
    }

    private static func text(_ bytes: [UInt8]?) -> String {
        guard let bytes else { return "(null)" }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return "(\(bytes.count) bytes) \(hex(bytes[...]))"
        }
        return text
    }

    /// Returns a body as text: JSON indented, other text unchanged, and other bytes in hexadecimal.
    private static func lines(of value: [UInt8]?) -> [String] {
        guard let value else { return ["(null)"] }
        if let document = try? JSONReader.read(value) {
            return document.laidOut.split(separator: "\n").map(String.init)
        }
        guard let text = String(validating: value, as: UTF8.self) else {
            return stride(from: 0, to: value.count, by: 32).map { hex(value[$0..<min($0 + 32, value.count)]) }
        }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private static func hex(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
    }
}
