import NewsflashConfiguration
import NewsflashCurlTransport
import NewsflashEvents
import NewsflashPublishing
import NewsflashTestSupport
import Testing

@testable import NewsflashWorker

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

    @Test func `a key with its default has the effect of the key left out`() throws {
        let folder = try TimeZoneFolder()
        func effect(_ text: String) throws -> [Substring] {
            let reader = ConfigurationReader(environment: folder.environment)
            var configuration = try reader.read(text: text, source: "test.yaml").configuration
            // It covers what is written, also defaults.
            configuration.publishing.digest = ""
            // Sets and dictionaries have no order.
            return "\(configuration)".split { !($0.isLetter || $0.isNumber || $0 == ".") }.sorted()
        }
        var count = 0
        for key in ConfigurationTable.keys {
            guard case .value(let value) = key.standard, key.path[0] != "text", !key.path.contains("bearer") else {
                continue
            }
            // Other keys that the key needs.
            let base = key.path[1...].contains("quiet") ? "hours: \"22:00-07:00\", timeZone: Europe/Prague" : ""
            let lines = Self.lines(for: key)
            let quoted = "\"\(value)\"" + (base.isEmpty ? "" : ", " + base)
            let without = base.isEmpty ? lines("") : lines("").replacing("\(key.path.last ?? ""): ", with: base)
            let (with, left) = try (effect(Self.text(lines(quoted))), effect(Self.text(without)))
            #expect(with == left, "\(key.name): \(with.difference(from: left))")
            count += 1
        }
        #expect(count > 40)
    }

    @Test func `code without a configuration has the defaults of the table`() throws {
        let read = try SoundConfiguration.read()
        let (publishing, own) = (read.publishing, PublishingConfiguration())
        #expect("\(publishing.limits)" == "\(own.limits)")
        #expect("\(publishing.retry)" == "\(own.retry)")
        #expect("\(publishing.probe)" == "\(own.probe)")
        #expect(publishing.readAheadBytes == own.readAheadBytes)
        #expect(publishing.storyMemoryBytes == own.storyMemoryBytes)
        #expect(publishing.commitInterval == own.commitInterval)
        #expect(publishing.policy.life == own.policy.life)
        #expect(publishing.policy.clockSkew == own.policy.clockSkew)
        #expect(publishing.policy.maximumEmbargo == own.policy.maximumEmbargo)
        #expect(publishing.policy.approvalWait == own.policy.approvalWait)
        #expect(read.ledger == LedgerSettings())
        #expect(read.topics == TopicNames())
        #expect(read.sources.map(\.topic) == [SourceSettings.usual.topic])
        #expect(read.group == WorkerConfiguration.usualGroup)
        let (gateway, usual) = (read.gateway, GatewaySettings.usual)
        #expect(gateway.maximumConnections == usual.maximumConnections)
        #expect(gateway.connectionsPerAddress == usual.connectionsPerAddress)
        #expect(gateway.requestTimeout == usual.requestTimeout)
        let (transport, curl) = (read.transport, CurlTransportConfiguration())
        #expect(transport.requestTimeout == curl.requestTimeout)
        #expect(transport.maximumIdleTime == curl.maximumIdleTime)
        #expect(transport.maximumConnectionAge == curl.maximumConnectionAge)
        #expect(read.reload.events == CanaryTerms().events)
    }

    @Test func `types and keys are checked in sections that are not used`() {
        let lines = "hubs:\n  main: { name: a, mode: loud, nam: b }\n"
        #expect(
            SoundConfiguration.problems(adding: lines) == [
                "line 6: hubs.main.mode: 'loud' is not one of: live, test",
                "line 6: hubs: use either 'hub' or 'hubs', not both",
                "line 6: hubs.main.nam: unknown key; did you mean 'name'?",
            ]
        )
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

    private static let rules: Set<String> = [
        "locales", "send", "categories", "narrower", "unknown", "text", "limits", "interruption", "policy",
    ]

    @Test func `a reload compares the keys that decide who is notified of what`() {
        for key in ConfigurationTable.keys {
            let isRule = Self.rules.contains(key.path[0]) || ["hubs.*.tags", "hubs.*.as"].contains(key.name)
            #expect((key.reload == .rule) == isRule, "\(key.name)")
        }
        // The worker does not use the gateway's settings.
        let settings = ConfigurationTable.keys.filter { $0.reload == .setting }.map(\.name)
        #expect(settings.allSatisfy { $0.wholeMatch(of: /version|(reload|gateway)\..*|log\.level/) != nil })
        #expect(settings.count > 20)
    }

    @Test func `the digest has the keys that decide who is notified of what, and no place of a secret`() {
        let keysOfHubs = ["hubs.*.name", "hubs.*.mode", "hubs.*.tags", "hubs.*.as"]
        for key in ConfigurationTable.keys {
            let isPart = Self.rules.contains(key.path[0]) || key.path[0] == "sources" || keysOfHubs.contains(key.name)
            #expect(key.isInDigest == isPart, "\(key.name)")
            #expect(!key.isInDigest || !key.namesSecret, "\(key.name)")
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
                let isItem = key.path.first == "sources" && index == 2 && step != "format" && step != "topic"
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
