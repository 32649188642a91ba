/// Counters since the start or the last reset.
package struct HubStatistics: Sendable, Equatable {
    /// Requests to the hub, accepted or not.
    package var received = 0
    /// Accepted sends, including those whose response a fault replaced.
    package var accepted = 0
    /// Responses by status.
    package var byStatus: [Int: Int] = [:]
    /// Responses that a fault determined.
    package var faults = 0
}
