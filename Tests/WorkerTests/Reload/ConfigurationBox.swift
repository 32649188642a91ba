import NewsflashBasics
import NewsflashWorker

/// A configuration that a test changes while a worker runs, like an editor of the file.
final class ConfigurationBox: Sendable {
    private let text: Locked<String>

    init(_ text: String) {
        self.text = Locked(text)
    }

    /// Replaces a part of the text.
    func replace(_ part: String, with other: String) {
        text.withLock { $0 = $0.replacing(part, with: other) }
    }

    /// Appends lines.
    func append(_ lines: String) {
        text.withLock { $0 += "\n" + lines }
    }

    func read() throws(ConfigurationError) -> ReadConfiguration {
        try ConfigurationReader(environment: [:]).read(text: text.withLock { $0 }, source: "newsflash.yaml")
    }

    /// The source for a worker that starts with the current text.
    func source() throws -> ConfigurationSource {
        ConfigurationSource(try read()) { [self] () throws(ConfigurationError) in try read() }
    }
}
