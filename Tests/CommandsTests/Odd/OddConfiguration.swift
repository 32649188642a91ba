import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// An odd configuration, and the answer of `newsflash lint`.
struct OddConfiguration: Sendable, CustomTestStringConvertible {
    let name: String
    var bytes: [UInt8]
    var environment: [String: String] = [:]
    /// The problems, then the warnings (`warning …`), each as `LINE KEY: the beginning of the message`, without the
    /// line for a key that is not in the file. Empty without problems.
    let answers: [String]
    /// A key with its value as 'newsflash config show' prints it.
    var shows: (key: String, value: String)?

    var testDescription: String { name }

    /// Ten lines without a problem; lines that a test adds begin with the 11th.
    private static let base = """
        version: 1
        kafka: { bootstrapServers: "127.0.0.1:1", group: newsflash }
        hubs: { main: { name: newsroom, connectionStringFile: /run/hub } }
        locales: { offered: [en, fr], default: en }
        categories:
          World: [world]
        text:
          flash: { en: "Breaking: {headline}", fr: "Alerte : {headline}" }
          alert: "{headline}"
          kill: "Withdrawn: {headline}"

        """

    init(text: String, as name: String? = nil, _ answers: String...) {
        self.name = name ?? String(text.prefix(60))
        self.bytes = Array(text.utf8)
        self.answers = answers
    }

    private init(_ name: String, _ text: String, _ answers: [String], _ shows: (String, String)? = nil) {
        self.name = name
        self.bytes = Array(text.utf8)
        self.answers = answers
        self.shows = shows
    }

    /// Replaces the section `kafka` in line 2.
    static func kafka(_ section: String, _ answers: String..., shows: (String, String)? = nil) -> Self {
        let line = #"kafka: { bootstrapServers: "127.0.0.1:1", group: newsflash }"#
        return Self("kafka: \(section)", base.replacing(line, with: "kafka: \(section)"), answers, shows)
    }

    /// Adds a property of librdkafka to the section `kafka`.
    static func property(_ property: String, _ answers: String...) -> Self {
        let line = #"kafka: { bootstrapServers: "127.0.0.1:1", group: newsflash }"#
        let other = "kafka: { properties: { \(property) } }"
        return Self(other, base.replacing(line, with: other), answers)
    }

    /// Replaces the hubs in line 3.
    static func hubs(_ line: String, _ answers: String...) -> Self {
        let hubs = "hubs: { main: { name: newsroom, connectionStringFile: /run/hub } }"
        return Self(line, base.replacing(hubs, with: line), answers)
    }

    /// Adds lines, the first of which is the 11th.
    static func adding(_ lines: String, _ answers: String..., shows: (String, String)? = nil) -> Self {
        Self(lines, base + lines + "\n", answers, shows)
    }

    /// Replaces a part.
    static func replacing(_ part: String, _ other: String, _ answers: String...) -> Self {
        Self("\(other) for \(part)", base.replacing(part, with: other), answers)
    }

    /// Sets a variable of the environment.
    static func variable(
        _ name: String,
        _ value: String,
        _ answers: String...,
        shows: (String, String)? = nil
    ) -> Self {
        var odd = Self("\(name)=\(value)", base, answers, shows)
        odd.environment = [name: value]
        return odd
    }

    /// Changes the bytes of the whole file.
    static func file(_ name: String, _ answers: String..., change: (String) -> [UInt8]) -> Self {
        var odd = Self(name, base, answers)
        odd.bytes = change(base)
        return odd
    }
}
