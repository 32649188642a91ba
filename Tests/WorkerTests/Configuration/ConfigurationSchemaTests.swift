import FoundationEssentials
import StrictJSON
import Testing
import Worker

/// The schema that editors read, held to the reader of the configuration.
@Suite(.timeLimit(.minutes(1)))
struct ConfigurationSchemaTests {
    private let folder: TimeZoneFolder
    private let schema: JSONValue

    init() throws {
        folder = try TimeZoneFolder()
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
        let path = root + "/schemas/newsflash-configuration-v1.schema.json"
        schema = try JSONReader.read(Array(try Data(contentsOf: URL(filePath: path))))
    }

    private func definition(_ path: [String]) throws -> JSONValue {
        var value = try #require(schema[member: "$defs"])
        for name in path { value = try #require(value[member: name], "no \(name) in the schema") }
        return value
    }

    /// A section of the file, as YAML around what stands for `?`, and where the schema describes it.
    @Test(arguments: [
        ("policy: ?", ["policy"]), ("policy: { life: ? }", ["policy", "properties", "life"]),
        ("policy: { approvals: ? }", ["policy", "properties", "approvals"]),
        ("policy: { brake: ? }", ["policy", "properties", "brake"]), ("policy: { quiet: ? }", ["quiet"]),
        ("delivery: { retry: ? }", ["delivery", "properties", "retry"]), ("limits: ?", ["limits"]),
    ])
    func `a section has the same keys in the schema as in the reader`(section: String, path: [String]) throws {
        let problems = SoundConfiguration.problems(
            adding: section.replacing("?", with: "{ \"no key\": 1 }"),
            environment: folder.environment
        )
        let known = problems.first { $0.contains("known here: ") }?.split(separator: "known here: ").last
        let read = try #require(known).split(separator: ", ").map(String.init)
        guard case .object(let members) = try definition(path + ["properties"]) else {
            Issue.record("no properties in the schema")
            return
        }
        let described = members.map(\.name)
        #expect(described.sorted() == read.sorted())
    }

    @Test(arguments: [
        "6 per 10m", "12 per day", "1 per minute", "20 per hour", "1000 per 31d", "2 per 500ms", "02 per 010m",
        "0 per day",
        "1001 per day", "2 per 0m", "2 per week", "2 per 10 m", "often", "2 per 10m per story", "2 per 10m per source",
    ])
    func `the schema and the reader take the same rates`(rate: String) throws {
        for (name, line) in [("rate", "brake: { all: ? }"), ("cap", "caps: { World: ? }")] {
            try agree(on: rate, pattern: definition([name, "pattern"]), line: line)
        }
    }

    @Test(arguments: [
        "22:00-07:00", "00:00-23:59", "24:00-07:00", "22:60-07:00", "7:00-22:00", "22:00", "22:00-07:00 ",
        "22:00 - 07:00",
    ])
    func `the schema and the reader take the same hours`(hours: String) throws {
        let pattern = try definition(["quiet", "properties", "hours", "pattern"])
        try agree(on: hours, pattern: pattern, line: "quiet: { timeZone: Asia/Kolkata, hours: ? }")
    }

    @Test(arguments: ["4..9", "1..1", "5", "0..9", "4..10", "4...9", "4-9", "..", ""])
    func `the schema and the reader take the same urgencies`(urgency: String) throws {
        let pattern = try definition(["quiet", "properties", "urgency", "pattern"])
        let line = "quiet: { timeZone: Asia/Kolkata, hours: \"22:00-07:00\", urgency: ? }"
        try agree(on: urgency, pattern: pattern, line: line)
    }

    @Test(arguments: ["Europe/Prague", "Asia/Kolkata", "/Asia/Kolkata", "Asia/../Asia/Kolkata", "Asia//Kolkata", ""])
    func `the schema and the reader take the same names of time zones`(name: String) throws {
        let pattern = try definition(["timeZone", "pattern"])
        try agree(on: name, pattern: pattern, line: "quiet: { hours: \"22:00-07:00\", timeZone: ? }")
    }

    private func agree(on value: String, pattern: JSONValue, line: String) throws {
        let pattern = try Regex(try #require(pattern.string))
        let problems = SoundConfiguration.problems(
            adding: "policy: { " + line.replacing("?", with: "\"\(value)\"") + " }",
            environment: folder.environment
        )
        #expect((value.wholeMatch(of: pattern) != nil) == problems.isEmpty, "\(line) \(value): \(problems)")
    }
}
