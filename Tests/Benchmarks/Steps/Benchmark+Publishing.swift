import NewsflashEvents
import NewsflashPlanning
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashWorker
import NotificationHubs

extension Benchmark {
    /// The steps from a decoded record to the confirmed end of its event, in batches as in the worker.
    static var publishing: [Benchmark] {
        [
            core("core.stub") { StubPlanner(send: try plannedSend(of: $0)) },
            core("core") { $0.planner },
            each("outcome.json", of: { try $0.outcomes() }) { _ in { blackHole($0.json) } },
        ]
    }

    private static let batchLength = 100

    private static func core(
        _ name: String,
        planner: @escaping (Workload) throws -> any EventPlanning
    ) -> Benchmark {
        Benchmark(name: name) { workload in
            var machine = Machine(workload, planner: try planner(workload))
            var records = try workload.records(0..<workload.count * 3, of: machine.partition)[...]
            func publish(_ count: Int) throws {
                var left = count
                while left > 0 {
                    let batch = records.prefix(min(left, batchLength))
                    guard !batch.isEmpty else { throw BenchmarkError("each event is published once: give more INPUTS") }
                    records = records.dropFirst(batch.count)
                    left -= batch.count
                    try machine.publish(Array(batch))
                }
            }
            try publish(workload.count)
            return publish
        }
    }

    private static func plannedSend(of workload: Workload) throws -> PlannedSend {
        for event in try workload.events() {
            let plan = workload.planner.plan(
                event,
                for: .categories,
                story: nil,
                deadline: workload.now.wall,
                loudness: .usual,
                now: workload.now.wall
            )
            if case .send(let sends, warnings: _) = plan, let send = sends.first { return send }
        }
        throw BenchmarkError("no event is sent")
    }
}

/// Plans the same request for every event.
private struct StubPlanner: EventPlanning {
    let send: PlannedSend

    func plan(
        _ event: NewsEvent,
        for addressees: Addressees,
        story: StoryFacts?,
        deadline: Timestamp,
        loudness: Audibility,
        now: Timestamp
    ) -> EventPlan {
        .send([send], warnings: [])
    }
}

extension Workload {
    /// The outcomes of all events.
    func outcomes() throws -> [OutcomeRecord] { try orders().outcomes.map(\.outcome) }
}
