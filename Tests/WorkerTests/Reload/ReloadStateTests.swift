import TestSupport
import Testing
import Timestamps

@testable import Worker

/// The actions of a reload, in their order.
@Suite(.timeLimit(.minutes(1)))
struct ReloadStateTests {
    private let now = Timestamp(seconds: 1_772_438_400)
    private var state: ReloadState

    init() throws {
        let read = try Self.read("")
        self.state = ReloadState(
            rules: read.configuration.rules,
            secure: read.configuration.secure,
            values: read.values,
            now: now
        )
    }

    private static func read(_ lines: String) throws -> ReadConfiguration {
        let text = SoundConfiguration.text + "reload: { canary: 10, within: 60s }\n" + lines
        return try ConfigurationReader(environment: [:]).read(text: text, source: "test.yaml")
    }

    private mutating func take(_ lines: String) throws -> [String] {
        state.take(.success(try Self.read(lines)), for: .signal, now: now).map(\.name)
    }

    @Test mutating func `events are sampled before a line says that the trial has begun`() throws {
        #expect(try take("text: { kill: Gone }") == ["sample true", "began", "wait 1"])
    }

    @Test func `the key of secure events stays that of the start`() throws {
        let file = try KeyFile("0123456789abcdef")
        let lines = "text: { kill: Gone, secure: A message }\nsecure: { keyFile: \"\(file.path)\" }\n"
        let start = try Self.read(lines)
        var state = ReloadState(
            rules: start.configuration.rules,
            secure: start.configuration.secure,
            values: start.values,
            now: now
        )
        try file.write("fedcba9876543210")
        let changed = try Self.read(lines.replacing("Gone", with: "Withdrawn"))
        #expect(changed.configuration.secure != start.configuration.secure)
        _ = state.take(.success(changed), for: .signal, now: now)
        #expect(state.canary?.configuration.secure == start.configuration.secure)
    }

    @Test mutating func `another configuration ends the trial of the one before`() throws {
        _ = try take("text: { kill: Gone }")
        let expected = ["sample false", "replaced", "sample true", "began", "wait 2"]
        #expect(try take("text: { kill: Withdrawn }") == expected)
        #expect(state.timeIsUp(1, now: now).isEmpty)
        let end = state.timeIsUp(2, now: now).map(\.name)
        #expect(end == ["sample false", "adopt", "log level", "promoted"])
        #expect(state.timeIsUp(2, now: now).isEmpty)
        #expect(try take("text: { kill: Withdrawn }") == ["unchanged"])
    }
}

extension ReloadState.Action {
    fileprivate var name: String {
        switch self {
        case .sample(let isOn): "sample \(isOn)"
        case .adopt: "adopt"
        case .logLevel: "log level"
        case .wait(let id, _): "wait \(id)"
        case .began: "began"
        case .ended(let result): result.kind.rawValue
        }
    }
}
