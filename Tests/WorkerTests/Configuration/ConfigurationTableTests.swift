import Configuration
import NewsEvents
import TestSupport
import Testing

@testable import Worker

/// The table of keys, compared with the code that reads the configuration.
@Suite(.timeLimit(.minutes(1)))
struct ConfigurationTableTests {
    /// Uses every section and format, and sets nothing that has a default.
    private static let whole = """
        version: 1
        sources:
          desk: {}
          wire: { topic: b, format: ninjs }
          feed: { topic: c, format: fields, fields: { text: { headline: /title } } }
        hubs:
          main: { name: newsroom }
        locales: { offered: [en, fr], default: en }
        categories: { World: [world] }

        """

    private func values(_ text: String) throws -> [ConfigurationValue] {
        try ConfigurationReader(environment: [:]).read(text: text, source: "test.yaml").values
    }

    /// Whether a value of `config show` is a key of the table. An empty map is one value there.
    private func isNamed(_ key: ConfigurationKey, by path: [String]) -> Bool {
        key.isNamed(by: path) || (key.path.last == "*" && key.isNamed(by: path + ["*"]))
    }

    @Test func `the table has the keys that the readers have`() throws {
        let paths = try [Self.whole, SoundConfiguration.text].flatMap { try values($0).map(\.path) }
            .filter { $0.last != "connectionString" && !$0.contains("fields") }
        let keys = ConfigurationTable.keys.filter { !$0.path.contains("fields") }
        for key in keys {
            #expect(paths.contains { isNamed(key, by: $0) }, "\(key.name) is in the table only")
        }
        for path in paths {
            #expect(keys.contains { isNamed($0, by: path) }, "\(path) is not in the table")
        }
    }

    @Test func `the table has a key for each member of an event that a feed's rules give`() {
        let keys = ConfigurationTable.keys.filter { $0.path.contains("fields") }.compactMap(\.path.last)
        #expect(keys.sorted() == (FieldMapping.Member.allCases.map(\.rawValue) + ["text"]).sorted())
    }

    @Test func `the sample with all its keys has no unknown key, and only alternatives exclude each other`() throws {
        let folder = try TimeZoneFolder()
        let text = ConfigurationSample.text(isComplete: true)
        let error = #expect(throws: ConfigurationError.self) {
            try ConfigurationReader(environment: folder.environment).read(text: text, source: "newsflash.yaml")
        }
        let problems = try #require(error?.problems)
        #expect(problems.filter { $0.kind == .unknownKey } == [])
        // One mechanism of authentication excludes the others, and the file and time zone are not on this machine.
        let expected = [
            "kafka.keyPasswordFile", "kafka.sasl.passwordVariable", "kafka.sasl.tokenFile", "kafka.sasl.tokenVariable",
            "kafka.sasl.extensions", "sources.wire.timeZone", "hubs",
        ]
        #expect(Set(problems.map(\.path)) == Set(expected), "\(problems)")
    }

    @Test func `the defaults of the table are those of the readers`() throws {
        let values = try values(Self.whole)
        for key in ConfigurationTable.keys {
            let read = values.filter { key.isNamed(by: $0.path) && $0.origin == .standard }
            switch key.standard {
            case .required: #expect(read.allSatisfy { $0.content == .none }, "\(key.name) has a default")
            case .none: #expect(read.allSatisfy { $0.content == .none }, "\(key.name) has a default")
            case .value(let value):
                for other in read { #expect(other.content.means(value), "\(other.key) is \(other.content)") }
                #expect(
                    !read.isEmpty || values.contains { key.isNamed(by: $0.path) } || key.path == ["hub"],
                    "\(key.name)"
                )
            case .derived(_, let value?):
                // The names of this configuration's topics are part of it.
                if key.path == ["topics", "ledger"] { continue }
                let isUsed = read.contains { $0.content.means(value) }
                #expect(isUsed, "\(key.name) is \(read.map(\.content)), and not \(value)")
            case .derived(_, nil): break
            }
        }
    }

    @Test func `each word of the table is a word of the readers, and no other is`() throws {
        let folder = try TimeZoneFolder()
        for key in ConfigurationTable.keys {
            guard case .choice(let words) = key.type else { continue }
            let lines = Self.lines(for: key)
            let problems = SoundConfiguration.problems(
                in: Self.text(lines("\"no word\"")),
                environment: folder.environment
            )
            let message = try #require(problems.first { $0.contains("is not one of: ") }, "\(key.name): \(problems)")
            let known = message.split(separator: "is not one of: ").last?.split(separator: ", ").map(String.init)
            #expect(known?.sorted() == words.sorted(), "\(key.name)")
        }
    }

    @Test func `each range of the table is that of the readers`() throws {
        let folder = try TimeZoneFolder()
        func problems(_ key: ConfigurationKey, _ value: String) -> [String] {
            let text = Self.text(Self.lines(for: key)(value))
            return SoundConfiguration.problems(in: text, environment: folder.environment)
                .filter {
                    $0.contains("\(key.path.last ?? ""): '\(value)' is not a whole number") || $0.contains("must be")
                }
        }
        for key in ConfigurationTable.keys {
            switch key.type {
            case .number(let range), .numberOrOff(let range):
                for inside in [range.lowerBound, range.upperBound] {
                    #expect(problems(key, "\(inside)") == [], "\(key.name)")
                }
                for outside in [range.lowerBound - 1, range.upperBound + 1] {
                    #expect(problems(key, "\(outside)").count == 1, "\(key.name): \(outside)")
                }
            case .duration(let from, let to, let reason):
                let bounds = [from, to].compactMap { Duration(configured: $0) }
                try #require(bounds.count == 2)
                for inside in [from, to] { #expect(problems(key, inside) == [], "\(key.name): \(inside)") }
                for outside in [bounds[0] - .milliseconds(1), bounds[1] + .milliseconds(1)] {
                    let found = problems(key, outside.configured)
                    let message = "must be between \(from) and \(to)" + (reason.isEmpty ? "" : " (\(reason))")
                    #expect(found.count == 1 && found[0].hasSuffix(message), "\(key.name): \(found)")
                }
            case .positiveDuration, .durationOrOff:
                #expect(problems(key, "0s").count == 1, "\(key.name)")
            case .anyDuration: #expect(problems(key, "0s") == [], "\(key.name)")
            case .size(let least):
                #expect(problems(key, least) == [], "\(key.name)")
                #expect(problems(key, "\((Int(configuredBytes: least) ?? 0) - 1)").count == 1, "\(key.name)")
            case .text, .flag, .choice, .choices, .form: break
            }
        }
    }

    @Test func `the classes of reloads are those of the table`() {
        for key in ConfigurationTable.keys {
            let expected: ReloadClass =
                switch key.reload {
                case .rule: .rule
                case .setting: .setting
                case .fixed: .fixed
                }
            #expect(ReloadClass(of: key.path) == expected, "\(key.name)")
        }
    }

    @Test func `the digest has the keys that the table names`() {
        for key in ConfigurationTable.keys {
            #expect(ConfigurationDigest.covers(key.path) == key.isInDigest, "\(key.name)")
        }
    }

    // MARK: - Documents

    /// The shortest valid configuration with lines for one key; the lines replace a section of the same name.
    private static func text(_ lines: String) -> String {
        let section = lines.prefix { $0 != ":" } + ":"
        let base = SoundConfiguration.text.split(separator: "\n").filter { line in
            !line.hasPrefix(section) && !(section == "hubs:" && line.hasPrefix("hub:"))
        }
        return base.joined(separator: "\n") + "\n" + lines + "\n"
    }

    /// Returns a function from a value to a document with only that key, and what must be beside it.
    private static func lines(for key: ConfigurationKey) -> (String) -> String {
        let names = [
            "sources": "wire", "hubs": "main", "kinds": "\"1\"", "status": "published", "interruption": "\"1\"",
        ]
        return { value in
            var text = value
            for (index, step) in key.path.enumerated().reversed() {
                let name = step == "*" ? names[key.path[index - 1]] ?? "a" : step
                // A kind of source that has the key.
                let isItem = key.path.first == "sources" && index == 2 && step != "format"
                text = "\(name): \(text)" + (isItem ? ", format: ninjs, topic: a" : "")
                if index > 0 { text = "{ \(text) }" }
            }
            return text
        }
    }
}

extension ConfigurationValue.Content {
    /// Whether a value means the same as a text of the table.
    fileprivate func means(_ text: String) -> Bool {
        guard case .text(let own) = self else { return false }
        if own == text { return true }
        if let duration = Duration(configured: text) { return Duration(configured: own) == duration }
        if let size = Int(configuredBytes: text) { return Int(configuredBytes: own) == size }
        return false
    }
}
