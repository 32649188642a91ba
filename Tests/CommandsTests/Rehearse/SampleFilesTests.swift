import FoundationEssentials
import NewsflashEvents
import NewsflashStrictJSON
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// The results of `newsflash rehearse` for the files of `Tests/Data/malformed` and `Tests/Data/adapters`, with the
/// suite's configuration.
@Suite(.timeLimit(.minutes(1)))
struct SampleFilesTests {
    @Test func `each malformed file gets the decision of the list`() throws {
        for file in try MalformedFile.all() {
            let line = try #require(try lines(of: file).first)
            #expect(line[member: "outcome"] == .string(file.reason == nil ? "sent" : "invalid"), "\(file.name)")
            #expect(line[member: "reason"]?.string == file.reason, "\(file.name)")
            #expect(line[member: "final"] == .bool(true), "\(file.name)")
            #expect((line[member: "detail"]?.string == nil) == (file.reason == nil), "\(file.name)")
            let warnings: JSONValue? = file.reason == nil ? .array([.string("encoding.bom")]) : nil
            #expect(line[member: "warn"] == warnings, "\(file.name)")
        }
    }

    @Test func `an unknown status stops the waiting events of its story`() throws {
        var records = try Self.records(["malformed/29-ninjs-cancelled.json"], isRaw: true)
        let waiting = """
            {"v":1,"id":"w","source":"https://wire.example.net/feed","story":"urn:example:ninjs:1","revision":2,\
            "kind":"alert","published":"2026-03-02T11:00:00Z","embargo":"2026-03-02T14:00:00Z",\
            "categories":["world"],"language":"en","text":{"en":{"headline":"A minister"}}}
            """
        let value = Array(waiting.utf8)
        records.insert(PlacedRecord(line: 0, file: "w", place: "w", record: RehearsalRecord(value: value)), at: 0)
        let lines = try Self.lines(records)
        #expect(lines.map { $0[member: "reason"]?.string } == ["held.embargo", "invalid.pubstatus"])
        #expect(lines.first?[member: "thenReason"] == .string("suppressed.hold"))
    }

    @Test(arguments: Self.updates)
    func `an adapter's file becomes the expected event`(_ file: String, _ source: String) throws {
        let line = try #require(try lines(["adapters/\(file)"], isRaw: Self.isBare(file)).first)
        let isOfAP = file.hasPrefix("ap-")
        let id = isOfAP ? "0f3c5e1d#2" : file == "cloudevents-binary-ninjs.json" ? "e-77" : Self.update
        #expect(line[member: "id"] == .string(id))
        #expect(line[member: "source"] == .string(source))
        #expect(line[member: "outcome"] == .string("sent"))
        #expect(line[member: "reason"]?.string == nil)
        #expect(line[member: "template"] == .string(source == "wire" ? "alert" : "update"))
        let tags = isOfAP ? ["world"] : ["politics", "world"]
        #expect(line[member: "categoryTags"] == .array(tags.map { .string($0) }))
        #expect(line[member: "rendered"]?[member: "en"] == .string("Orsen dam spills over, valley evacuated"))
        // AP's second code is its own and has no audience.
        #expect(line[member: "warn"] == (isOfAP ? .array([.string("category.unknown")]) : nil))
    }

    @Test(arguments: ["expected", "ninjs-1.6", "ninjs-2.2", "ninjs-3.1", "superdesk-ninjs"])
    func `a kill goes to the notified audiences, and alone to nobody`(_ name: String) throws {
        let files = ["adapters/\(name)-update.json", "adapters/\(name)-kill.json"]
        let kill = try #require(try lines(files, isRaw: true).last)
        // The status is part of an item's id.
        let id = name == "expected" ? Self.kill : "\(Self.kill)!canceled"
        #expect(kill[member: "id"] == .string(id))
        #expect(kill[member: "file"]?.string?.hasSuffix("\(name)-kill.json") == true)
        #expect(kill[member: "outcome"] == .string("sent"))
        #expect(kill[member: "template"] == .string("kill"))
        #expect(kill[member: "audienceFrom"] == .string(Self.update))
        let alone = try #require(try lines([files[1]], isRaw: true).first)
        #expect(alone[member: "id"] == .string(id))
        #expect(alone[member: "file"] == nil)
        #expect(alone[member: "reason"] == .string("suppressed.never_sent"))
    }

    @Test func `every adapter's file is used`() throws {
        let names = try TestData.names(in: "adapters").filter { !$0.hasSuffix("-kill.json") }
        #expect(names == Self.updates.map(\.0).sorted())
    }

    private static let update = "urn:newsml:wire.example.net:20260302:dam-7#3"
    private static let kill = "urn:newsml:wire.example.net:20260302:dam-7#4"

    /// The files, each with the first source of the suite that can decode it.
    private static let updates: [(String, String)] = [
        ("expected-update.json", "desk"), ("ninjs-1.6-update.json", "wire"), ("ninjs-2.2-update.json", "wire"),
        ("ninjs-3.1-update.json", "wire"), ("superdesk-ninjs-update.json", "wire"), ("ap-media-update.json", "wire"),
        ("cloudevents-binary-ninjs.json", "wire"), ("cloudevents-binary-slim.json", "desk"),
        ("cloudevents-binary.json", "desk"), ("cloudevents-structured-base64.json", "desk"),
        ("cloudevents-structured.json", "desk"), ("confluent-header-guid.json", "desk"),
        ("confluent-json-id1042.bin", "desk"),
    ]

    /// Returns whether the file is a record's value and not a record with all its parts.
    private static func isBare(_ file: String) -> Bool {
        !file.hasPrefix("cloudevents-") && file != "confluent-header-guid.json"
    }

    private func lines(_ files: [String], isRaw: Bool) throws -> [JSONValue] {
        try Self.lines(Self.records(files, isRaw: isRaw))
    }

    private func lines(of file: MalformedFile) throws -> [JSONValue] {
        let folder = try TemporaryFolder()
        let path = folder.file(file.name)
        try #require(FileManager.default.createFile(atPath: path, contents: Data(file.bytes)))
        var records = try RehearsalFiles.read([path], isRaw: true)
        if let mediaType = file.mediaType {
            let header = EventHeader(name: "content-type", value: Array(mediaType.utf8))
            for index in records.indices { records[index].record.headers.append(header) }
        }
        return try Self.lines(records)
    }

    private static func records(_ files: [String], isRaw: Bool) throws -> [PlacedRecord] {
        try RehearsalFiles.read(files.map { "\(TestData.folder.path)/\($0)" }, isRaw: isRaw)
    }

    private static func lines(_ records: [PlacedRecord]) throws -> [JSONValue] {
        let configuration = try Scene.read("deploy/examples/suite.yaml")
        // A record without a time comes when the story happened.
        let now = try #require(Timestamp(rfc3339: "2026-03-02T12:10:00Z"))
        let report = try RehearsalReport(of: records, configuration, now: now)
        #expect(report.faults == [])
        return try report.lines.map { try JSONReader.read($0) }
    }
}
