/// Counts since the start or the last reset.
package struct HubStatistics: Sendable, Equatable {
    /// Requests to the hub, whatever became of them.
    package var received = 0
    /// Accepted sends, those with a fault behind them too.
    package var accepted = 0
    /// Answers by status.
    package var byStatus: [Int: Int] = [:]
    /// Answers that a fault decided.
    package var faults = 0
}
