import NewsflashBasics

extension Scenario {
    /// Draws a scenario.
    ///
    /// - Parameters:
    ///   - seed: The same seed gives the same scenario.
    ///   - eventCount: The number of records that the desk publishes.
    /// - Returns: The scenario.
    package static func random(seed: UInt64, eventCount: Int) -> Scenario {
        var generator = ScenarioGenerator(seed: seed)
        return generator.scenario(eventCount: eventCount)
    }
}

/// Draws the settings of a fleet, the events of its desk, and its faults. Each run has its own selection of faults, so
/// some runs have many of one kind, and some have none.
struct ScenarioGenerator {
    private var random: SeededRandom
    private let seed: UInt64
    private var settings = SimSettings()
    private var stories: [Story] = []
    private var published: [SimEvent] = []
    private var hasLargeAudience = false

    private struct Story {
        var name: String
        var revision: Int64
        var isKilled = false
        var users: Int
        var mode: SimEvent.Mode
        var lastID = ""
    }

    private enum Fault: CaseIterable {
        case hub, slowHub, topic, crash, stop, freeze, isolate, expel, move, pause, jump, reload, hubs, recalls,
            incident
    }

    init(seed: UInt64) {
        self.seed = seed
        random = SeededRandom(seed: seed &* 0x2545_F491_4F6C_DD1D)
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func one<Element>(of elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    private mutating func seconds(_ range: ClosedRange<Double>) -> Duration {
        .milliseconds(Int(Double.random(in: range, using: &random) * 1000))
    }

    mutating func scenario(eventCount: Int) -> Scenario {
        drawSettings()
        let gap = one(of: [0.05, 0.3, 1, 2])
        var steps: [Scenario.Step] = []
        var time = Duration.seconds(2)
        for number in 1...max(1, eventCount) {
            if !chance(15) { time += seconds(0...2 * gap) }
            steps.append(Scenario.Step(time, .publish(event(number))))
        }
        let faults = Fault.allCases.filter { _ in chance(45) }
        if !faults.isEmpty {
            let end = Double(time.components.seconds) + 5
            for _ in 0..<Int.random(in: 0...max(2, eventCount / 8), using: &random) {
                add(one(of: faults), at: seconds(0...end), to: &steps)
            }
        }
        addReuse(until: time, to: &steps)
        var scenario = Scenario("seed \(seed), \(eventCount) events", seed: seed, settings)
        scenario.steps = steps.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(
            \.element
        )
        scenario.resumesAtEnd = chance(70)
        return scenario
    }

    private mutating func drawSettings() {
        settings.workers = one(of: [1, 1, 2, 2, 3, 5])
        settings.partitions = Int.random(in: 1...4, using: &random)
        settings.hubs = Array(["a", "b", "c"].prefix(one(of: [1, 1, 2, 2, 3])))
        settings.hasTestHub = chance(50)
        if chance(20) { settings.locales = ["en", "cs"] }
        if chance(40) { settings.storyMemoryBytes = 1 }
        (settings.exposureTotal, settings.exposureReserve) = one(of: [(10, 2), (30, 4), (100, 8)])
        settings.concurrency = one(of: [2, 8, 64])
        settings.readAheadBytes = one(of: [2 << 10, 20 << 10, 8 << 20])
        settings.requestTimeout = .seconds(one(of: [4, 10]))
        settings.hasApprovals = chance(15)
        settings.hasCaps = chance(10)
        settings.hasVolumeLimit = chance(10)
        settings.hasQuietHours = chance(10)
        if settings.hasQuietHours { settings.start = "2026-03-02T21:59:30Z" }
        settings.scans = chance(80)
        settings.isCompacted = chance(50)
    }

    // MARK: - The desk

    private mutating func event(_ number: Int) -> SimEvent {
        if chance(5), let again = published.last(where: { _ in true }) {
            let event = chance(50) ? again : one(of: published)
            return event
        }
        if stories.isEmpty || chance(30) {
            var story = Story(name: "s\(number)", revision: 0, users: 0, mode: .live)
            if chance(6) { story.mode = settings.hasTestHub ? .test : .backfill }
            if chance(10) { story.users = Int.random(in: 1...60, using: &random) }
            if chance(2), !hasLargeAudience {
                story.users = Int.random(in: 200...1000, using: &random)
                hasLargeAudience = true
            }
            stories.append(story)
            if stories.count > 6 { stories.removeFirst() }
        }
        let place = chance(40) ? stories.count - 1 : Int.random(in: 0..<stories.count, using: &random)
        var story = stories[place]
        var event = event("e\(number)", of: &story)
        stories[place] = story
        if chance(8) { event.fault = one(of: [.unreadable, .unknownKind]) }
        if chance(2), event.kind == .kill, !stories[place].lastID.isEmpty { event.id = stories[place].lastID }
        if event.fault == nil, event.kind != .kill { stories[place].lastID = event.id }
        published.append(event)
        return event
    }

    private mutating func event(_ id: String, of story: inout Story) -> SimEvent {
        let first: [SimEvent.Kind] = [.alert, .alert, .alert, .flash, .flash, .update, .correction, .kill, .hold]
        let later: [SimEvent.Kind] = [
            .alert, .update, .update, .update, .correction, .correction, .kill, .kill, .hold, .flash,
        ]
        let kind = one(of: story.revision == 0 ? first : later)
        var revision = story.revision + 1
        if chance(12) { revision = max(1, story.revision) }
        if chance(10) { revision = max(1, story.revision + Int64.random(in: -2...3, using: &random)) }
        story.revision = max(story.revision, revision)
        var event = SimEvent(id, kind, of: story.name, revision: revision)
        let categories = ["world", "politics", "sports", "science"]
        event.categories = [one(of: categories)]
        if chance(30) { event.categories = categories.filter { _ in chance(45) } }
        event.users = story.users
        event.mode = story.mode
        if chance(20) { event.source = "wire" }
        if kind == .kill, chance(50) { event.words = "" }
        if [.kill, .hold].contains(kind), chance(50) { event.categories = [] }
        if event.categories.isEmpty, ![.kill, .hold].contains(kind) {
            event.categories = [chance(90) ? "world" : "weather"]
        }
        if chance(25) { event.urgency = Int.random(in: 1...7, using: &random) }
        if chance(8) { event.embargo = seconds(1...60) }
        if chance(6), kind != .kill {
            event.expires = (event.embargo ?? .zero) + seconds(chance(15) ? -60...0 : 1...300)
        }
        event.approvals = one(of: [0, 1, 2, 2])
        return event
    }

    // MARK: - Faults

    private mutating func add(_ fault: Fault, at time: Duration, to steps: inout [Scenario.Step]) {
        func then(_ act: Scenario.Act, after delay: Duration = .zero) { steps.append(Scenario.Step(time + delay, act)) }
        let worker = Int.random(in: 1...settings.workers, using: &random)
        switch fault {
        case .hub: then(.hub(one(of: settings.hubs), weather(), for: seconds(0.5...30)))
        case .slowHub:
            let latency = Int.random(in: 100...8000, using: &random)
            then(
                .hub(
                    one(of: settings.hubs),
                    HubWeather([(.accept, 1)], latency: latency...latency + 200),
                    for: seconds(1...20)
                )
            )
        case .topic:
            let slowest = one(of: [50, 400, 2500])
            let weather = TopicWeather(
                latency: 2...slowest,
                lost: one(of: [0, 0, 30, 90]),
                misreported: one(of: [0, 0, 20])
            )
            then(.topic(one(of: SimTopic.allCases), weather, for: seconds(0.5...15)))
        case .crash:
            then(.crash(worker))
            then(.start(worker), after: seconds(0.2...20))
        case .stop:
            then(.stop(worker))
            then(.start(worker), after: seconds(0.2...20))
        case .freeze: then(.freeze(worker, seconds(0.5...25)))
        case .isolate: then(.isolate(worker, seconds(3...25)))
        case .expel: then(.expel(worker))
        case .move: then(.move(partition: Int.random(in: 0..<settings.partitions, using: &random)))
        case .pause:
            let source = one(of: [nil, "desk", "wire"])
            then(.pause(source: source))
            if chance(85) { then(.resume(source: source), after: seconds(0.5...40)) }
            if chance(40) { then(.resumeLatest(of: source ?? "desk"), after: seconds(0.5...20)) }
        case .incident: addIncident(then)
        case .jump: then(.jump(.seconds(one(of: [3600, -3600, 30, -30]))))
        case .reload: then(.reload(mapping: Int.random(in: 0...2, using: &random)))
        case .hubs: then(.hubs(one(of: [["a"], ["b", "a"], ["a", "b", "c"], ["c", "a"], ["b"]])))
        case .recalls: then(.recalls(seconds(0.05...3), for: seconds(1...20)))
        }
    }

    /// A bad night: one hub is away, another is slow, somebody pauses everything, and a worker is
    /// restarted.
    private mutating func addIncident(_ then: (Scenario.Act, Duration) -> Void) {
        let away = one(of: settings.hubs)
        let length = seconds(3...30)
        then(.hub(away, .always(one(of: [.unavailable, .serverError, .cutAfter, .silenceAfter])), for: length), .zero)
        if let slow = settings.hubs.first(where: { $0 != away }), chance(70) {
            then(.hub(slow, .slow(Int.random(in: 500...9000, using: &random)), for: seconds(1...20)), seconds(0...10))
        }
        if chance(60) {
            let start = seconds(0...15)
            then(.pause(source: chance(50) ? nil : "desk"), start)
            then(.resume(source: nil), start + seconds(0.5...10))
            then(.resume(source: "desk"), start + seconds(0.5...10))
        }
        guard chance(40) else { return }
        let worker = Int.random(in: 1...settings.workers, using: &random)
        let start = seconds(0...15)
        then(chance(60) ? .stop(worker) : .crash(worker), start)
        then(.start(worker), start + seconds(0.5...10))
    }

    /// In some runs a label means another hub for a time. It is drawn separately, so that the rest of a seed does not
    /// change.
    private func addReuse(until end: Duration, to steps: inout [Scenario.Step]) {
        var random = SeededRandom(seed: seed &* 0x9FB2_1C65_1E98_DF25)
        guard Int.random(in: 0..<100, using: &random) < 15 else { return }
        // The ledger contains a hub that is added meanwhile with its other address.
        let labels = settings.hubs + ["c"]
        let label = labels[Int.random(in: 0..<labels.count, using: &random)]
        let time = Int.random(in: 0...max(1000, Int(end.components.seconds) * 1000), using: &random)
        let length = Int.random(in: 2000...60_000, using: &random)
        steps.append(Scenario.Step(.milliseconds(time), .reuse(label: label, for: .milliseconds(length))))
    }

    private mutating func weather() -> HubWeather {
        let all: [HubWeather.Answer] = [
            .throttle, .throttleWithPause, .serverError, .unavailable, .unavailableWithPause, .cutBefore, .cutAfter,
            .silenceAfter, .silenceBefore, .refuse,
        ]
        var answers: [(HubWeather.Answer, Int)] = [(one(of: all), 3)]
        if chance(60) { answers.append((.accept, Int.random(in: 1...8, using: &random))) }
        if chance(40) { answers.append((one(of: all), 2)) }
        return HubWeather(answers, latency: 5...one(of: [50, 500, 3000]))
    }
}
