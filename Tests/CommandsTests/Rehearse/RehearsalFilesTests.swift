import FoundationEssentials
import NewsflashEvents
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct RehearsalFilesTests {
    private func record(_ text: String) throws -> RehearsalFiles.Parts {
        let record = try RehearsalFiles.record(Array(text.utf8), at: "x")
        return RehearsalFiles.Parts(
            time: record.appendAt?.rfc3339,
            key: record.key.map { String(decoding: $0, as: UTF8.self) },
            value: record.value.map { String(decoding: $0, as: UTF8.self) },
            headers: record.headers
        )
    }

    @Test func `an event alone is the value of a record`() throws {
        let text = #"{"v":1, "id":"e"}"#
        #expect(try record(text) == RehearsalFiles.Parts(value: text))
        // An object is a record with all its parts only if it has a value and no unknown member.
        let other = #"{"value":1,"unit":"km"}"#
        #expect(try record(other) == RehearsalFiles.Parts(value: other))
        #expect(try record("no JSON") == RehearsalFiles.Parts(value: "no JSON"))
    }

    @Test func `a record with all its parts is parsed`() throws {
        let text = #"""
            {"appendAt":"2026-03-02T08:00:00Z","key":"story","headers":{"content-type":"a/b","id":"hex:01ff"},
             "value":{"v": 1}}
            """#
        let expected = RehearsalFiles.Parts(
            time: "2026-03-02T08:00:00.000Z",
            key: "story",
            value: #"{"v":1}"#,
            headers: [
                EventHeader(name: "content-type", value: Array("a/b".utf8)), EventHeader(name: "id", value: [1, 255]),
            ]
        )
        #expect(try record(text) == expected)
        #expect(try record(#"{"kafka":{"key":"k","headers":{}},"value":"text"}"#).value == "text")
        #expect(try record(#"{"kafka":{"key":"k"},"value":"text"}"#).key == "k")
        #expect(try record(#"{"key":"k","value":null}"#).value == nil)
        let ofSource = try RehearsalFiles.record(Array(#"{"source":"wire","value":{}}"#.utf8), at: "x")
        #expect(ofSource.source == "wire")
        #expect(ofSource.value == Array("{}".utf8))
    }

    @Test(arguments: [
        (#"{"appendAt":"yesterday","value":{}}"#, "x: appendAt must be a time such as 2026-03-02T08:00:00Z"),
        (#"{"headers":["a"],"value":{}}"#, "x: headers must be an object of texts, or a list of pairs of texts"),
        (
            #"{"headers":[["a","b","c"]],"value":{}}"#,
            "x: headers must be an object of texts, or a list of pairs of texts"
        ),
        (#"{"headers":{"a":1},"value":{}}"#, "x: the header a is not a text"),
        (#"{"headers":[["a",1]],"value":{}}"#, "x: the header a is not a text"),
        (#"{"source":1,"value":{}}"#, "x: source must be the name of a source in the configuration"),
    ])
    func `wrong parts are named`(text: String, message: String) {
        let error = #expect(throws: OperationError.self) { try RehearsalFiles.record(Array(text.utf8), at: "x") }
        #expect(error?.description == message)
    }

    @Test func `lines are counted through all files, and each raw file is a record`() throws {
        let folder = try TemporaryFolder()
        let first = folder.file("a.ndjson")
        let second = folder.file("b.ndjson")
        try Data("{}\n\n{\u{2028}}\n".utf8).write(to: URL(filePath: first))
        try Data("{}\n".utf8).write(to: URL(filePath: second))
        let lines = try RehearsalFiles.read([first, second], isRaw: false)
        #expect(lines.map(\.line) == [1, 3, 4])
        #expect(lines.map(\.place) == ["\(first):1", "\(first):3", "\(second):1"])
        let raw = try RehearsalFiles.read([first, second], isRaw: true)
        #expect(raw.map(\.line) == [1, 2])
        #expect(raw.map(\.record.value) == [Array("{}\n\n{\u{2028}}\n".utf8), Array("{}\n".utf8)])
    }
}

extension RehearsalFiles {
    /// A record's parts as texts.
    fileprivate struct Parts: Equatable {
        var time: String?
        var key: String?
        var value: String?
        var headers: [EventHeader] = []
    }
}
