import FoundationEssentials
import NewsflashRendering
import NewsflashStrictJSON
import NewsflashTestSupport
import NewsflashWorker
import Testing

/// The schema for editors, compared with the reader of the configuration.
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

    /// A section of the file as YAML with `?` in place of a key, and its path in the schema.
    @Test(arguments: [
        ("policy: ?", ["policy"]), ("policy: { life: ? }", ["policy", "properties", "life"]),
        ("policy: { approvals: ? }", ["policy", "properties", "approvals"]),
        ("policy: { volumeLimits: ? }", ["policy", "properties", "volumeLimits"]), ("policy: { quiet: ? }", ["quiet"]),
        ("delivery: { retry: ? }", ["delivery", "properties", "retry"]), ("limits: ?", ["limits"]),
    ])
    func `a section has the same keys in the schema as in the reader`(section: String, path: [String]) throws {
        let problems = SoundConfiguration.problems(
            adding: section.replacing("?", with: "{ \"no key\": 1 }"),
            environment: folder.environment
        )
        let known = problems.first { $0.contains("allowed: ") }?.split(separator: "allowed: ").last
        let read = try #require(known).split(separator: ", ").map(String.init)
        guard case .object(let members) = try definition(path + ["properties"]) else {
            Issue.record("the schema has no properties")
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
    func `the schema and the reader accept the same rates`(rate: String) throws {
        for (name, line) in [("rate", "volumeLimits: { all: ? }"), ("cap", "caps: { World: ? }")] {
            try agree(on: rate, pattern: definition([name, "pattern"]), line: line)
        }
    }

    @Test(arguments: [
        "22:00-07:00", "00:00-23:59", "24:00-07:00", "22:60-07:00", "7:00-22:00", "22:00", "22:00-07:00 ",
        "22:00 - 07:00",
    ])
    func `the schema and the reader accept the same hours`(hours: String) throws {
        let pattern = try definition(["hours", "pattern"])
        try agree(on: hours, pattern: pattern, line: "quiet: { timeZone: Asia/Kolkata, hours: ? }")
    }

    @Test(arguments: ["4..9", "1..1", "5", "0..9", "4..10", "4...9", "4-9", "..", ""])
    func `the schema and the reader accept the same urgencies`(urgency: String) throws {
        let pattern = try definition(["urgencies", "pattern"])
        let line = "quiet: { timeZone: Asia/Kolkata, hours: \"22:00-07:00\", urgency: ? }"
        try agree(on: urgency, pattern: pattern, line: line)
    }

    @Test(arguments: ["Europe/Prague", "Asia/Kolkata", "/Asia/Kolkata", "Asia/../Asia/Kolkata", "Asia//Kolkata", ""])
    func `the schema and the reader accept the same names of time zones`(name: String) throws {
        let pattern = try definition(["timeZone", "pattern"])
        try agree(on: name, pattern: pattern, line: "quiet: { hours: \"22:00-07:00\", timeZone: ? }")
    }

    /// A section of the file with `?` for a number, the path of that number in the schema, and its bounds.
    @Test(arguments: [
        ("limits: { headline: ? }", ["limits", "properties", "headline"], TextLimits.headlines),
        ("limits: { summary: ? }", ["limits", "properties", "summary"], TextLimits.summaries),
        ("send: { maximumTags: ? }", ["send", "properties", "maximumTags"], 1...20),
        ("delivery: { concurrency: ?, expressReserve: 0 }", ["delivery", "properties", "concurrency"], 1...1024),
        ("delivery: { concurrency: 1024, expressReserve: ? }", ["delivery", "properties", "expressReserve"], 0...1023),
        ("delivery: { connections: ? }", ["delivery", "properties", "connections"], 1...2047),
        ("delivery: { outageAfter: ? }", ["delivery", "properties", "outageAfter"], 1...1000),
        ("policy: { approvals: { alert: ? } }", ["policy", "properties", "approvals", "properties", "alert"], 0...9),
        (
            "gateway: { rate: { perUser: ? } }", ["gateway", "properties", "rate", "properties", "perUser", "anyOf"],
            GatewaySettings.rates
        ),
        (
            "gateway: { rate: { perAddress: ? } }",
            ["gateway", "properties", "rate", "properties", "perAddress", "anyOf"], GatewaySettings.rates
        ),
        ("gateway: { connections: ? }", ["gateway", "properties", "connections"], 1...100_000),
        (
            "gateway: { connectionsPerAddress: ? }", ["gateway", "properties", "connectionsPerAddress", "anyOf"],
            1...100_000
        ),
        ("reload: { limits: { words: ? } }", ["reload", "properties", "limits", "properties", "words"], 0...100_000),
    ])
    func `the schema and the reader have the same bounds of a number`(
        section: String,
        path: [String],
        bounds: ClosedRange<Int>
    ) throws {
        var described = try definition(path)
        // The first form is the number, the second its text.
        if let forms = described.array { described = try #require(forms.first) }
        #expect(described[member: "minimum"]?.int64 == Int64(bounds.lowerBound))
        #expect(described[member: "maximum"]?.int64 == Int64(bounds.upperBound))
        for number in [bounds.lowerBound, bounds.upperBound] {
            #expect(problems(section, "\(number)") == [], "\(number)")
        }
        for number in [bounds.lowerBound - 1, bounds.upperBound + 1] {
            #expect(problems(section, "\(number)").count == 1, "\(number)")
        }
    }

    private func problems(_ section: String, _ value: String) -> [String] {
        SoundConfiguration.problems(adding: section.replacing("?", with: value), environment: folder.environment)
    }

    @Test func `the schema and the reader have the same bounds of lists and texts`() throws {
        func bound(_ path: [String], _ keyword: String) throws -> Int {
            var value = try definition(path)
            if let forms = value.array { value = try #require(forms.first { $0[member: keyword] != nil }) }
            return Int(try #require(value[member: keyword]?.int64, "\(path) \(keyword)"))
        }
        let languages = OfferedLocales.maximumCount
        #expect(try bound(["languages"], "maxItems") == languages)
        #expect(try bound(["locales", "properties", "timeZone"], "maxProperties") == languages)
        #expect(try bound(["words", "anyOf"], "maxLength") == TextRules.longestPattern)
        #expect(try bound(["words", "anyOf"], "maxProperties") == languages)
        #expect(try bound(["notice", "anyOf"], "maxProperties") == languages)
        let properties = ["send", "properties", "properties"]
        #expect(try bound(properties, "maxProperties") == TemplateProperties.maximumCount)
        #expect(try bound(properties + ["additionalProperties"], "maxLength") == TemplateProperties.longestPattern)
        #expect(try bound(["limits", "properties", "ellipsis"], "maxLength") == TextLimits.longestEllipsis)
        #expect(problems("limits: { ellipsis: ? }", String(repeating: "é", count: TextLimits.longestEllipsis)) == [])
        #expect(
            problems("limits: { ellipsis: ? }", String(repeating: "é", count: TextLimits.longestEllipsis + 1))
                == ["line 5: limits.ellipsis: has 17 characters; write at most 16"]
        )
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
