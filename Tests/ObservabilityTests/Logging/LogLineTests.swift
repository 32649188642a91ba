import NewsflashStrictJSON
import NewsflashTimestamps
import Testing

@testable import NewsflashObservability

@Suite(.timeLimit(.minutes(1)))
struct LogLineTests {
    private static func entry(
        _ message: String = "Accepted.",
        _ metadata: LogMetadata = [:],
        level: LogLevel = .info
    ) -> LogEntry {
        let time = Timestamp(milliseconds: 1_772_440_800_050)
        return LogEntry(time: time, level: level, label: "test", message: message, metadata: metadata)
    }

    private static func text(_ entry: LogEntry) -> String {
        String(decoding: TextLogHandler.line(entry), as: UTF8.self)
    }

    private static func json(_ entry: LogEntry) -> String {
        String(decoding: JSONLogHandler.line(entry), as: UTF8.self)
    }

    @Test(arguments: [
        (entry(), "info  Accepted."),
        (entry(level: .critical), "critical  Accepted."),
        (entry("m", ["b": "two words", "a": 1]), #"info  m  a=1 b="two words""#),
        (
            entry("m", ["a": "", "b": "x=y", "c": "\\", "d": "\"", "e": "ü"]),
            #"info  m  a="" b="x=y" c="\\" d="\"" e=ü"#
        ),
        (entry("m", ["a": true, "b": 1.5, "c": -3]), "info  m  a=true b=1.5 c=-3"),
        (entry("m\nforged", ["a\nb": "c\r\td"]), #"info  m\nforged  "a\nb"="c\r\td""#),
        (
            entry("m", ["a": "\u{1B}[31m", "b": "\u{9B}", "c": "\u{202E}"]),
            #"info  m  a="\u001b[31m" b="\u009b" c="\u202e""#
        ),
    ])
    func `a text line has sorted, quoted and escaped metadata`(entry: LogEntry, expected: String) {
        #expect(Self.text(entry) == "2026-03-02T08:40:00.050Z \(expected)\n")
    }

    @Test func `each character is recognized at each position of a word`() {
        func plain(_ word: String) -> String {
            let quotes =
                word.isEmpty
                || word.unicodeScalars.contains {
                    $0.properties.isWhitespace || "\"\\=\u{7F}\u{0}".unicodeScalars.contains($0)
                }
            guard quotes else { return word }
            var escaped = word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\t", with: "\\t")
            escaped = escaped.replacing("\u{7F}", with: "\\u007f").replacing("\u{0}", with: "\\u0000")
            return "\"\(escaped)\""
        }
        let strange = ["", " ", "!", "\"", "=", "\\", "\t", "~", "\u{7F}", "\u{0}", "é", "ÿ", "€", "😀", "\u{A0}"]
        for length in 0...18 {
            for place in 0...length {
                for inserted in strange {
                    let word =
                        String(repeating: "x", count: place) + inserted + String(repeating: "~", count: length - place)
                    #expect(
                        Self.text(Self.entry("m", ["k": .string(word)])).dropFirst(24) == " info  m  k=\(plain(word))\n"
                    )
                }
            }
        }
    }

    @Test(arguments: [
        (entry(), ""),
        (entry(metadata: ["b": "x", "a": 1]), #","a":1,"b":"x""#),
        (entry(metadata: ["a": true, "b": 1.5, "c": .double(.nan)]), #","a":true,"b":1.5,"c":null"#),
        (entry(metadata: ["a": "l\n\"\u{2028}"]), #","a":"l\n\"\u2028""#),
        (entry(metadata: ["a": "\u{1B}\u{7F}\u{9B}\u{202E}é\\"]), #","a":"\u001b\u007f\u009b\u202eé\\""#),
        (entry(metadata: ["\u{7F}": "\u{2066}"]), #","\u007f":"\u2066""#),
        (entry(metadata: ["time": 1, "level": 2]), #","metadata.level":2,"metadata.time":1"#),
        (entry(metadata: ["time": 1, "metadata.time": 2]), #","metadata.time":2,"metadata.metadata.time":1"#),
    ])
    func `a JSON line has the entry's members, then sorted metadata`(entry: LogEntry, expected: String) throws {
        let line = Self.json(entry)
        let members = #""time":"2026-03-02T08:40:00.050Z","level":"info","label":"test","message":"Accepted.""#
        #expect(line == "{\(members)\(expected)}\n")
        #expect(throws: Never.self) { try JSONReader.read(line) }
    }

    private static func entry(metadata: LogMetadata) -> LogEntry { entry("Accepted.", metadata) }

    /// Entries by name, so that a report does not print them.
    enum LongEntry: String, CaseIterable {
        case message, controls, emoji, key, manyKeys, manyTexts

        var entry: LogEntry {
            func repeated(_ text: String, _ count: Int = 20_000) -> String { String(repeating: text, count: count) }
            func keys(_ value: LogValue) -> LogMetadata {
                (0..<1000).reduce(into: LogMetadata()) { $0["key\($1)"] = value }
            }
            return switch self {
            case .message: LogLineTests.entry(repeated("m"))
            case .controls: LogLineTests.entry(repeated("\u{1}", 5000), ["a": .string(repeated("\u{202E}", 5000))])
            case .emoji: LogLineTests.entry("m", ["a": .string(repeated("😀"))])
            case .key: LogLineTests.entry("m", [repeated("k"): 1, "z": "kept"])
            case .manyKeys: LogLineTests.entry("m", keys(.integer(.min)))
            case .manyTexts: LogLineTests.entry("m", keys(.string(repeated("\"\\", 10))))
            }
        }
    }

    @Test(arguments: LongEntry.allCases)
    func `a line that is too long is shortened and marked`(long: LongEntry) throws {
        let text = Self.text(long.entry)
        let textBytes = text.utf8.count
        #expect(textBytes <= 16_384)
        let saysSo = text.contains("log.truncated=true")
        #expect(saysSo)
        let line = Self.json(long.entry)
        let jsonBytes = line.utf8.count
        #expect(jsonBytes <= 16_384)
        #expect(try JSONReader.read(line)[member: "log.truncated"] == .bool(true))
    }

    @Test func `keys beside a text that is too long stay whole`() throws {
        let long = LogValue.string(String(repeating: "x", count: 20_000))
        let line = try JSONReader.read(Self.json(Self.entry("m", ["a": long, "b": "kept", "c": 1])))
        #expect(line[member: "b"]?.string == "kept")
        #expect(line[member: "c"]?.int64 == 1)
        let a = try #require(line[member: "a"]?.string)
        #expect(a.hasSuffix("x…") && a.utf8.count == 4096)
    }

    @Test func `a key that does not fit does not remove another`() throws {
        let line = try JSONReader.read(Self.json(LongEntry.key.entry))
        #expect(line[member: "z"]?.string == "kept")
    }

    @Test func `a line just within the limit stays whole`() {
        let frame = Self.json(Self.entry("")).utf8.count
        let whole = Self.entry(String(repeating: "m", count: 16_384 - frame))
        #expect(Self.json(whole).utf8.count == 16_384)
        #expect(!Self.json(whole).contains("log.truncated"))
        #expect(Self.json(Self.entry(whole.message + "m")).contains("log.truncated"))
    }
}
