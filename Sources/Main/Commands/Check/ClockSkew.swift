import Timestamps

/// Compares our clock with the hub's.
struct ClockSkew: Sendable {
    let hub: String
    /// The minimum difference at which correctly timed events are refused.
    let tolerance: Duration

    /// The minimum difference worth reporting: embargoes, quiet hours and event lifetimes depend on our clock.
    private static let remarkable = Duration.seconds(5)

    /// Returns a fact about the difference of the clocks.
    ///
    /// - Parameters:
    ///   - ours: Our clock in the middle of the request.
    ///   - theirs: The date of the response, in whole seconds.
    ///   - roundTrip: The duration of the request, which limits the precision of the comparison.
    /// - Returns: The fact.
    func fact(ours: Timestamp, theirs: Timestamp, within roundTrip: Duration) -> CheckFact {
        // A date truncated to whole seconds is half a second old on average.
        let difference = ours - (theirs + .milliseconds(500))
        let size = difference < .zero ? .zero - difference : difference
        let seconds = (size + .milliseconds(500)).components.seconds
        let uncertainty = roundTrip / 2 + .seconds(1)
        guard size > Self.remarkable + uncertainty else {
            return .ok(.clock, "", "agrees with the clock of hub \(hub)")
        }
        let what =
            "this machine's clock is \(seconds) s \(difference < .zero ? "behind" : "ahead of") the clock of hub \(hub)"
        let remedy = "synchronise the time (NTP): embargoes, quiet hours and event lifetimes depend on it"
        guard size > tolerance else { return .advice(.clock, "", .clockSkew, "\(what): \(remedy)") }
        return .problem(.refused, .clock, "", .clockSkew, "\(what), more than policy.clockSkew: \(remedy)")
    }
}
