import NewsflashTestSupport
import NewsflashWorker
import Testing

/// The key of secure events, and the notice that replaces their texts.
@Suite(.timeLimit(.minutes(1)))
struct SecureSettingsTests {
    private static let rules = """
        version: 1
        hub: newsroom
        locales: { offered: [en, fr], default: en }
        categories: { World: [world] }
        text:
          kill: "Withdrawn: {headline}"
          secure: { en: "You have a message", fr: "Vous avez un message" }
        secure: { keyFile: KEY }
        """

    private static func read(_ text: String) throws -> WorkerConfiguration {
        try ConfigurationReader(environment: [:]).read(text: text, source: "test.yaml").configuration
    }

    /// Reads the rules with a key file.
    private static func read(key: String) throws -> WorkerConfiguration {
        let file = try KeyFile(key)
        // The file is read during this call, and removed with its object.
        defer { withExtendedLifetime(file) {} }
        return try read(rules.replacing("KEY", with: file.path))
    }

    @Test func `a notice without a key is refused, and a key that is too short prevents the start`() throws {
        let rules = Self.rules.replacing("secure: { keyFile: KEY }", with: "")
        let error = #expect(throws: ConfigurationError.self) { try Self.read(rules) }
        #expect(error?.problems.map(\.path) == ["secure.keyFile"])
        #expect(try Self.read(key: "short").secure.problem?.contains("16 bytes") == true)
        #expect(try Self.read(key: "0123456789abcdef").secure.problem == nil)
        let missing = try Self.read(Self.rules.replacing("KEY", with: "no-such-file"))
        #expect(missing.secure.problem?.contains("no-such-file cannot be read") == true)
    }

    @Test func `a notice with a field of the event is refused`() throws {
        let text = Self.rules.replacing("You have a message", with: "News: {headline}")
        let error = #expect(throws: ConfigurationError.self) { try Self.read(text) }
        #expect(error?.problems.map(\.path) == ["text.secure.en"])
    }

    @Test func `a secure notice without a ledger causes a warning`() throws {
        func warnings(_ lines: String) throws -> [String] {
            let text = """
                version: 1
                hub: newsroom
                locales: { offered: [en], default: en }
                categories: { World: [world] }
                ledger: { use: "off" }
                \(lines)
                """
            return try ConfigurationReader(environment: [:]).read(text: text, source: "test.yaml").warnings.map(\.path)
        }
        let secure = "text: { kill: Withdrawn, secure: A message }\nsecure: { keyFile: no-such-file }"
        #expect(try warnings(secure).contains("ledger.use"))
        #expect(try !warnings(#"text: { kill: "Withdrawn" }"#).contains("ledger.use"))
    }

    @Test func `a feed with secure delivery and without a notice causes a warning`() throws {
        let text = """
            version: 1
            hub: newsroom
            locales: { offered: [en], default: en }
            categories: { World: [world] }
            text: { kill: "Withdrawn: {headline}" }
            sources:
              house:
                topic: house.v1
                format: fields
                fields:
                  { id: /id, story: /id, revision: /rev, published: /at, delivery: { default: secure },
                    text: { headline: /title } }
            """
        let read = try ConfigurationReader(environment: [:]).read(text: text, source: "test.yaml")
        #expect(read.warnings.map(\.path).contains("sources.house.fields.delivery"))
        let secure = "secure: { keyFile: no-such-file }\ntext: { secure: \"A message\", kill"
        let mended = text.replacing("text: { kill", with: secure)
        let again = try ConfigurationReader(environment: [:]).read(text: mended, source: "test.yaml")
        #expect(!again.warnings.map(\.path).contains("sources.house.fields.delivery"))
    }
}
