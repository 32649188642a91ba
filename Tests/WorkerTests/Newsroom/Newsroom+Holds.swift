import KafkaTestCluster
import Publishing

extension Newsroom {
    /// Waits until a worker reports that its line is held.
    func waitForHold(_ reason: HoldReason) async throws {
        try await reports.wait { reports in
            reports.contains { report in
                if case .held(let hold) = report { hold.reason == reason } else { false }
            } ? () : nil
        }
    }
}
