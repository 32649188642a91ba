import FoundationEssentials
import NewsflashCurlTransport
import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashWorker
import Testing

/// Every key with its value and the origin of the value.
@Suite(.timeLimit(.minutes(1)))
struct ConfigurationValuesTests {
    private func values(
        adding lines: String = "",
        environment: [String: String] = [:]
    ) throws -> [ConfigurationValue] {
        let text = SoundConfiguration.text + lines
        return try ConfigurationReader(environment: environment).read(text: text, source: "test.yaml").values
    }

    private func value(of key: String, in values: [ConfigurationValue]) throws -> ConfigurationValue {
        let found = values.filter { $0.key == key }
        #expect(found.count <= 1, "\(key) is listed more than once")
        return try #require(found.first, "\(key) is missing")
    }

    @Test func `a value of the file has its line`() throws {
        let group = try value(of: "kafka.group", in: values(adding: "kafka:\n  # who we are\n  group: night\n"))
        #expect(group.content == .text("night"))
        #expect(group.origin == .file(line: 7))
    }

    @Test func `a variable overrides the file, and is the origin of the value`() throws {
        let variable = "NEWSFLASH_KAFKA_GROUP"
        let values = try values(adding: "kafka: { group: night }\n", environment: [variable: "day"])
        let group = try value(of: "kafka.group", in: values)
        #expect(group.content == .text("day"))
        #expect(group.origin == .variable(variable))
    }

    @Test func `a variable supplies a key that the file does not contain`() throws {
        let values = try values(environment: ["NEWSFLASH_DELIVERY_RETRY_CAP": "20s"])
        let cap = try value(of: "delivery.retry.cap", in: values)
        #expect(cap.content == .text("20s"))
        #expect(cap.origin == .variable("NEWSFLASH_DELIVERY_RETRY_CAP"))
    }

    @Test func `a key without a value shows its default`() throws {
        let values = try values()
        #expect(try value(of: "delivery.retry.cap", in: values).content == .text("30s"))
        #expect(try value(of: "delivery.connectionIdleTime", in: values).content == .text("1m"))
        #expect(try value(of: "delivery.connectionAge", in: values).content == .text("5m"))
        #expect(try value(of: "delivery.readAhead", in: values).content == .text("8MiB"))
        #expect(try value(of: "policy.life.flash", in: values).content == .text("1h"))
        #expect(try value(of: "kafka.caFile", in: values).content == .none)
        #expect(try value(of: "policy.volumeLimits.all", in: values).origin == .standard)
    }

    @Test func `a value equal to its default comes from the file, and does not follow another key`() throws {
        let standard = try value(of: "delivery.connections", in: values()).content
        guard case .text(let count) = standard else {
            Issue.record("\(standard) is not a text")
            return
        }
        let lines = "delivery: { concurrency: 5, connections: \(count), retry: { cap: 30s } }\n"
        let values = try values(adding: lines)
        let connections = try value(of: "delivery.connections", in: values)
        #expect(connections.content == .text(count))
        #expect(connections.origin != .standard)
        #expect(try value(of: "delivery.retry.cap", in: values).origin != .standard)
        #expect(try SoundConfiguration.read(adding: lines).transport.maximumConnectionsPerHost == Int(count))
    }

    @Test func `a default that depends on another key follows that key`() throws {
        let values = try values(adding: "kafka: { group: night }\ndelivery: { concurrency: 20 }\n")
        #expect(try value(of: "topics.control", in: values).content == .text("night.control"))
        #expect(try value(of: "delivery.connections", in: values).content == .text("28"))
    }

    @Test func `connections live as long as the configuration says`() throws {
        let delivery = "delivery: { connectionIdleTime: 4s, connectionAge: 1h }\n"
        let transport = try SoundConfiguration.read(adding: delivery).transport
        #expect(transport.maximumIdleTime == .seconds(4))
        #expect(transport.maximumConnectionAge == .seconds(3600))
    }

    @Test func `the value of a secret is hidden, and its origin is shown`() throws {
        let variable = "NEWSFLASH_HUB_CONNECTION_STRING"
        let secret = "Endpoint=sb://a.b/;SharedAccessKeyName=c;SharedAccessKey=c2VjcmV0"
        let values = try values(
            adding: "kafka: { properties: { client.rack: a } }\n",
            environment: [variable: secret]
        )
        let hub = try value(of: "hubs.main.connectionString", in: values)
        #expect(hub.content == .hidden)
        #expect(hub.origin == .variable(variable))
        #expect(try value(of: "kafka.properties.client.rack", in: values).content == .text("a"))
        #expect(!"\(values.map(\.content))".contains("c2VjcmV0"))
    }

    @Test(arguments: [
        ("text: { kill: \"Gone:{headline}\" }", "text: { kill: \"Gone: {headline}\" }"),
        ("text: { kill: 60s }", "text: { kill: 1m }"), ("text: { kill: 64KiB }", "text: { kill: 65536 }"),
        ("send: { properties: { a: \"b c\" } }", "send: { properties: { a: bc } }"),
        ("kafka: { clientId: 1h }", "kafka: { clientId: 60m }"),
    ])
    func `texts and properties are compared character by character`(line: String, other: String) throws {
        let changes = try values(adding: other).changes(since: values(adding: line))
        #expect(changes.count == 1, "\(changes.map(\.key))")
    }

    @Test func `codes are compared character by character`() throws {
        func values(_ code: String) throws -> [ConfigurationValue] {
            let text = SoundConfiguration.text.replacing("[world]", with: "[\"\(code)\"]")
            return try ConfigurationReader(environment: [:]).read(text: text, source: "test.yaml").values
        }
        #expect(try values("1m").changes(since: values("60s")).map(\.key) == ["categories.World"])
    }

    @Test(arguments: [
        ("policy: { life: { flash: 60m } }", "policy: { life: { flash: 1h } }"),
        ("delivery: { readAhead: 16384KiB }", "delivery: { readAhead: 16 MiB }"),
        ("delivery: { concurrency: +5 }", "delivery: { concurrency: 5 }"),
        ("kafka: { bootstrapServers: [a, b] }", "kafka: { bootstrapServers: \"a, b\" }"),
        ("policy: { caps: { World: 12 per day } }", "policy: { caps: { World: [12 per 24h] } }"),
        ("kafka: { group: }", ""), ("policy: { life: { flash: ~ } }", "policy:"),
    ])
    func `an equivalent value is not a change, and has the same digest`(line: String, other: String) throws {
        let (before, after) = (SoundConfiguration.text + line, SoundConfiguration.text + other)
        let reader = ConfigurationReader(environment: [:])
        let first = try reader.read(text: before, source: "test.yaml")
        let second = try reader.read(text: after, source: "test.yaml")
        #expect(second.values.changes(since: first.values).map(\.key) == [])
        #expect(second.configuration.publishing.digest == first.configuration.publishing.digest)
    }

    @Test func `a change of notation alone is not a change`() throws {
        let before = try values(adding: "delivery: { drain: 60s, readAhead: 8 MiB }\n")
        let servers = "kafka: { bootstrapServers: [\"127.0.0.1:9092\"] }"
        let after = try values(adding: "\n\ndelivery: { drain: 1m }\n\(servers)\n")
        #expect(after.changes(since: before).map(\.key).isEmpty)
    }

    @Test func `changes name the keys that were added, changed or removed`() throws {
        let before = try values(adding: "kafka: { group: night }\ntext: { kill: \"Gone: {headline}\" }\n")
        let after = try values(adding: "kafka: { group: day }\npolicy: { caps: { World: 2 per day } }\n")
        let changes = after.changes(since: before)
        #expect(
            changes.map(\.key) == ["kafka.group", "text.kill", "policy.caps.World", "topics.ledger", "topics.control"]
        )
        #expect(changes.first?.before?.content == .text("night"))
        #expect(changes.first?.after?.content == .text("day"))
    }

    // MARK: - The schema and the examples

    private static func read(_ path: String) throws -> [UInt8] {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
        return Array(try Data(contentsOf: URL(filePath: root + "/" + path)))
    }

    private static func schema() throws -> ConfigurationSchema {
        ConfigurationSchema(try JSONReader.read(try read("schemas/newsflash-configuration-v1.schema.json")))
    }

    /// Uses every section, so that every key has a path.
    private static let whole = """
        sources:
          desk: { topic: a, format: event }
          wire: { topic: b, format: ninjs }
          feed: { topic: c, format: fields, fields: { text: { headline: /title } } }
        hubs:
          main: { name: newsroom }
        locales: { offered: [en, fr], default: en }
        categories: { World: [world] }
        version: 1

        """

    @Test func `the list of values has exactly the keys of the schema`() throws {
        let reader = ConfigurationReader(environment: [:])
        let keys = [Self.whole, SoundConfiguration.text].flatMap { text in
            (try? reader.read(text: text, source: "test.yaml").values.map(\.path)) ?? []
        }
        #expect(!keys.isEmpty)
        let schema = try Self.schema()
        for key in schema.keys {
            #expect(keys.contains { key.isNamed(by: $0) }, "\(key) is in the schema and not in the list")
        }
        for path in keys where path.last != "connectionString" {
            #expect(schema.keys.contains { $0.isNamed(by: path) }, "\(path) is in the list and not in the schema")
        }
    }

    @Test func `the defaults are those of the schema`() throws {
        let values = try ConfigurationReader(environment: [:]).read(text: Self.whole, source: "test.yaml").values
        for key in try Self.schema().keys {
            guard let standard = key.standard, let value = values.first(where: { $0.path == key.path }),
                value.origin == .standard
            else { continue }
            // This default depends on the names of this configuration's topics.
            if key.path == ["topics", "ledger"] { continue }
            #expect(value.says(standard), "\(value.key): \(value.content), and the schema says \(standard)")
        }
    }

    @Test(arguments: [
        "newsflash", "examples/readers", "examples/editions", "examples/six-categories", "examples/agency-languages",
        "examples/suite",
    ])
    func `an example shows each of its values with its line`(name: String) throws {
        let path = "deploy/\(name).yaml"
        let text = String(decoding: try Self.read(path), as: UTF8.self)
        let values = try ConfigurationReader(environment: [:]).read(text: text, source: path).values
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var shown = 0
        for value in values {
            guard case .file(let line) = value.origin, let key = value.path.last else { continue }
            shown += 1
            let first = key.prefix { $0 != "[" }
            #expect(lines[line - 1].contains(first), "\(value.key) should be in line \(line)")
        }
        #expect(shown > 5)
        #expect(Set(values.map(\.path)).count == values.count)
    }
}

extension ConfigurationValue {
    /// Whether a value means the same as a default of the schema.
    fileprivate func says(_ standard: String) -> Bool {
        guard case .text(let text) = content else { return false }
        if text == standard { return true }
        if let mine = text.milliseconds, let others = standard.milliseconds { return mine == others }
        return text.filter { $0 != " " } == standard.filter { $0 != " " }
    }
}

extension String {
    fileprivate var milliseconds: Int? {
        let digits = prefix { $0.isNumber }
        let units = ["ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
        guard let count = Int(digits), let unit = units[String(dropFirst(digits.count))] else { return nil }
        return count * unit
    }
}
