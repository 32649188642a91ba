import Locks
import Worker

/// A configuration that a test changes while a worker runs, as an editor changes its file.
final class ConfigurationBox: Sendable {
    private let text: Locked<String>

    init(_ text: String) {
        self.text = Locked(text)
    }

    /// Puts other words in place.
    func replace(_ part: String, with other: String) {
        text.withLock { $0 = $0.replacing(part, with: other) }
    }

    /// Adds lines at the end.
    func append(_ lines: String) {
        text.withLock { $0 += "\n" + lines }
    }

    func read() throws(ConfigurationError) -> ReadConfiguration {
        try ConfigurationReader(environment: [:]).read(text: text.withLock { $0 }, source: "newsflash.yaml")
    }

    /// For a worker that is started with what stands there now.
    func source() throws -> ConfigurationSource {
        ConfigurationSource(try read()) { [self] () throws(ConfigurationError) in try read() }
    }
}
