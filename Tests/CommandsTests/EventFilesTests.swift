import NewsflashCommandLineArguments
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct EventFilesTests {
    @Test(arguments: ["a.ndjson", "a.jsonl"])
    func `a file of lines has a record for each line that is not blank`(name: String) {
        let records = EventFiles.split(Array("{}\n\n \t\r\nx\u{2028}y\n[1]".utf8), of: name)
        #expect(records.map(\.place) == ["\(name):1", "\(name):4", "\(name):5"])
        #expect(records.map { String(decoding: $0.bytes, as: UTF8.self) } == ["{}", "x\u{2028}y", "[1]"])
    }

    @Test func `any other file is one record, byte for byte`() {
        let bytes = Array("{}\n{}\r\n\n".utf8)
        #expect(EventFiles.split(bytes, of: "two.json") == [FileRecord(file: "two.json", bytes: bytes)])
    }

    @Test func `an empty file is one record without bytes, and no line`() {
        #expect(EventFiles.split([], of: "empty.bin") == [FileRecord(file: "empty.bin", bytes: [])])
        #expect(EventFiles.split([], of: "empty.ndjson").isEmpty)
    }

    @Test func `the standard input is one event over several lines, or one a line`() {
        let one = Array("{\n\"v\":1\n}\n".utf8)
        #expect(EventFiles.split(one, of: "-") == [FileRecord(file: "-", bytes: one)])
        #expect(EventFiles.split(Array("{}\n{}\n".utf8), of: "-").map(\.place) == ["-:1", "-:2"])
    }

    @Test func `a missing file is named`() throws {
        let error = try #require(throws: OperationError.self) { try EventFiles.read(["no-such-file.json"]) }
        #expect(error.description == "no-such-file.json cannot be read: No such file or directory")
        #expect(error.exitCode.rawValue == 65)
    }
}
