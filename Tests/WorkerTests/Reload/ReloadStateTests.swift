import NewsflashEvents
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@testable import NewsflashPlanning
@testable import NewsflashPublishing
@testable import NewsflashWorker

/// The actions of a reload, in order.
@Suite(.timeLimit(.minutes(1)))
struct ReloadStateTests {
    private let now = Timestamp(seconds: 1_772_438_402)
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

    private static func read(_ lines: String, category: String = "world") throws -> ReadConfiguration {
        let text =
            SoundConfiguration.text.replacing("[world]", with: "[\(category)]") + "reload: { canary: 10 }\n" + lines
        return try ConfigurationReader(environment: [:]).read(text: text, source: "test.yaml")
    }

    /// The time of the decisions.
    private static let decidedAt = Timestamp(seconds: 1_772_438_401)

    /// Decisions on alerts of the category `world`.
    private static func samples(_ ids: [String]) -> [DecisionSample] {
        ids.map { id in
            var event = Desk.event(id)
            event.published = decidedAt - .seconds(1)
            let facts = StoryFacts(awaiting: event, digest: ContentDigest(of: event), now: decidedAt)
            return DecisionSample(
                event: event,
                digest: ContentDigest(of: event),
                seen: nil,
                story: facts,
                consumedAt: decidedAt,
                now: decidedAt
            )
        }
    }

    private mutating func apply(_ read: ReadConfiguration, _ samples: [DecisionSample] = []) -> [String] {
        state.apply(.success(read), for: .signal, samples: samples, now: now).map(\.name)
    }

    @Test mutating func `rules that change no decision are in force at once`() throws {
        let other = try Self.read("text: { kill: Gone }")
        #expect(apply(other, Self.samples(["a", "b"])) == ["adopt", "log level", "promoted"])
        #expect(state.rules.digest == other.configuration.publishing.digest)
        #expect(state.last?.tally?.counts == [.same: 2])
        #expect(state.last?.detail.hasPrefix("tried on 2 of 10 events: 2 same; changed: text.kill") == true)
        #expect(apply(other) == ["unchanged"])
    }

    @Test mutating func `rules that would lose a notification are dropped completely`() throws {
        let before = state.rules.digest
        #expect(apply(try Self.read("", category: "wrong"), Self.samples(["a"])) == ["dropped"])
        #expect(state.last?.tally?.differing.map(\.event) == ["a"])
        // A file with another error does not adopt the first change.
        let error = ConfigurationError(
            source: "a",
            problems: [ConfigurationProblem(path: "delivery.drain", message: "")]
        )
        let actions = state.apply(.failure(error), for: .signal, samples: Self.samples(["b"]), now: now).map(\.name)
        #expect(actions == ["refused"])
        #expect(apply(try Self.read("delivery: { drain: 7s }")) == ["needs_restart"])
        #expect(apply(try Self.read("")) == ["unchanged"])
        #expect(state.rules.digest == before)
    }

    @Test mutating func `decisions that notify nobody under either configuration do not count`() throws {
        var samples = Self.samples(["a", "b", "c"])
        var other = samples[1].event
        other.categories = ["elsewhere"]
        samples[1] = DecisionSample(
            event: other,
            digest: samples[1].digest,
            seen: nil,
            story: samples[1].story,
            consumedAt: Self.decidedAt,
            now: Self.decidedAt
        )
        _ = apply(try Self.read("text: { kill: Gone }"), samples)
        #expect(state.last?.tally?.compared == 2)
    }

    @Test func `the latest two hundred decisions are kept, the newest first`() {
        var kept = DecisionSamples()
        #expect(kept.newestFirst.isEmpty)
        kept.append(Self.samples(["1", "2"]))
        #expect(kept.newestFirst.map(\.event.id) == ["2", "1"])
        kept.append(Self.samples((3...450).map { "\($0)" }))
        kept.append(Self.samples(["451"]))
        #expect(kept.newestFirst.map(\.event.id) == (252...451).reversed().map { "\($0)" })
    }

    @Test func `the key of secure events does not change after the start`() throws {
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
        let actions = state.apply(.success(changed), for: .signal, samples: [], now: now)
        let adopted = actions.compactMap { if case .adopt(let rules) = $0 { rules } else { nil } }
        #expect(adopted.compactMap { ($0.planner as? EventPlanner)?.tokens } == [start.configuration.secure.tokens])
    }
}

extension ReloadState.Action {
    fileprivate var name: String {
        switch self {
        case .adopt: "adopt"
        case .logLevel: "log level"
        case .ended(let result): result.kind.rawValue
        }
    }
}
