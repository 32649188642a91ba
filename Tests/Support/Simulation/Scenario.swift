/// A run of the simulation: the settings of the fleet, and the steps that happen to it.
package struct Scenario: Sendable {
    package struct Step: Sendable {
        /// The time from the start of the run.
        package var time: Duration
        package var act: Act

        package init(_ time: Duration, _ act: Act) {
            self.time = time
            self.act = act
        }
    }

    package enum Act: Sendable, Equatable {
        case publish(SimEvent)
        /// The hub answers like this for a time.
        case hub(String, HubWeather, for: Duration)
        /// The topic confirms like this for a time.
        case topic(SimTopic, TopicWeather, for: Duration)
        /// `kill -9`.
        case crash(Int)
        case start(Int)
        /// A clean stop.
        case stop(Int)
        /// The process is suspended.
        case freeze(Int, Duration)
        /// The process cannot reach its group.
        case isolate(Int, Duration)
        /// The group revokes the partitions of a live worker.
        case expel(Int)
        /// A partition moves to another worker.
        case move(partition: Int)
        case pause(source: String?)
        case resume(source: String?)
        /// Somebody resumes the latest event of a source.
        case resumeLatest(of: String)
        /// Somebody sets the wall clock.
        case jump(Duration)
        /// Workers adopt another mapping of categories without a restart.
        case reload(mapping: Int)
        /// All workers are restarted one by one with these hubs.
        case hubs([String])
        /// A label means another hub for a time. All workers are restarted one by one, and again when its address is restored.
        case reuse(label: String, for: Duration)
        /// Recalls are answered with this delay for a time.
        case recalls(Duration, for: Duration)
        /// A remark in the trace, without any effect.
        case remark(String)
    }

    package var name: String
    package var seed: UInt64
    package var settings: SimSettings
    package var steps: [Step]
    /// Whether all sources are resumed at the end.
    package var resumesAtEnd = true

    package init(_ name: String, seed: UInt64 = 1, _ settings: SimSettings = SimSettings(), _ steps: [Step] = []) {
        self.name = name
        self.seed = seed
        self.settings = settings
        self.steps = steps
    }

    /// Adds a step.
    package mutating func at(_ seconds: Double, _ act: Act) {
        steps.append(Step(.milliseconds(Int(seconds * 1000)), act))
    }
}

/// The settings of the simulated fleet.
package struct SimSettings: Sendable, Equatable {
    /// The maximum number of records of a partition that a worker reads at once.
    package static let fetchedRecords = 20

    package var workers = 1
    package var partitions = 2
    /// Hubs with subscribers.
    package var hubs = ["a"]
    /// Whether there is a hub `t` for events of mode test.
    package var hasTestHub = false
    /// The locales, with one request for each; if empty, one request for all.
    package var locales: [String] = []
    package var storyMemoryBytes = 16 << 20
    package var exposureTotal = 100
    package var exposureReserve = 8
    package var concurrency = 64
    package var readAheadBytes = 8 << 20
    package var sessionTimeout = Duration.seconds(10)
    package var drain = Duration.seconds(5)
    package var requestTimeout = Duration.seconds(10)
    package var hasApprovals = false
    package var hasQuietHours = false
    package var hasVolumeLimit = false
    package var hasCaps = false
    /// Whether the priority scan runs.
    package var scans = true
    /// Whether the ledger topic is read as if it were compacted.
    package var isCompacted = false
    /// A fault of the simulation itself, to test the oracle.
    package var sabotage: Sabotage?
    /// The civil time at the start.
    package var start = "2026-03-02T08:00:00Z"

    package init() {}
}

/// The answers of a hub.
package struct HubWeather: Sendable, Equatable {
    package enum Answer: Sendable, Equatable {
        case accept
        case throttle
        case throttleWithPause
        case serverError
        case unavailable
        case unavailableWithPause
        /// The connection is cut, and the hub did not accept.
        case cutBefore
        /// The connection is cut, and the hub accepted.
        case cutAfter
        /// No answer, and the hub accepted.
        case silenceAfter
        /// No answer, and the hub did not accept.
        case silenceBefore
        case refuse
    }

    /// The answers with their weights.
    package var answers: [(answer: Answer, weight: Int)]
    /// The time from acceptance to answer in milliseconds.
    package var latency: ClosedRange<Int>

    package init(_ answers: [(Answer, Int)], latency: ClosedRange<Int> = 10...60) {
        self.answers = answers
        self.latency = latency
    }

    package static let fair = HubWeather([(.accept, 1)])

    package static func always(_ answer: Answer) -> HubWeather { HubWeather([(answer, 1)]) }

    /// Accepts at once and answers late.
    package static func slow(_ milliseconds: Int) -> HubWeather {
        HubWeather([(.accept, 1)], latency: milliseconds...milliseconds)
    }

    package static func == (left: HubWeather, right: HubWeather) -> Bool {
        left.latency == right.latency && left.answers.elementsEqual(right.answers) { $0 == $1 }
    }
}

extension HubWeather: CustomStringConvertible {
    package var description: String {
        let names = answers.map { "\($0.answer)" + (answers.count > 1 ? " \($0.weight)" : "") }.joined(separator: ", ")
        return "\(names) after \(latency.lowerBound) to \(latency.upperBound) ms"
    }
}

/// The confirmations of a topic.
package struct TopicWeather: Sendable, Equatable {
    /// The time to the confirmation in milliseconds.
    package var latency: ClosedRange<Int>
    /// Percent of the writes that are not written and fail.
    package var lost = 0
    /// Percent of the writes that are written and reported as failed.
    package var misreported = 0

    package init(latency: ClosedRange<Int>, lost: Int = 0, misreported: Int = 0) {
        self.latency = latency
        self.lost = lost
        self.misreported = misreported
    }

    package static let fair = TopicWeather(latency: 1...8)
}
