import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashWorker

extension Newsroom {
    /// Waits until a worker reports that the circuit of its hub is open.
    func waitForHold(_ reason: CircuitReason) async throws {
        try await reports.wait { reports in
            reports.contains { report in
                if case .circuitOpened(let hold, _) = report { hold.reason == reason } else { false }
            } ? () : nil
        }
    }

    /// Writes a command like `newsflash pause` and `newsflash resume`.
    func order(
        _ act: ControlRecord.Act,
        _ scope: PauseScope = .source(Desk.source),
        at time: Timestamp = .now()
    ) async throws {
        let order = ControlRecord(act, scope, by: .person("ed:novak"), reason: "a test", at: time)
        try await cluster.write([KafkaRecord(order, topic: names.control)])
    }

    /// Waits for a number of provisional outcomes.
    func provisionalOutcomes(_ count: Int) async throws -> [Outcome] {
        let topic = names.outcomes
        return try await reader.log.wait { events in
            let provisional = events.messages.outcomes(in: topic).filter { !$0.isFinal }
            return provisional.count >= count ? provisional : nil
        }
    }
}
