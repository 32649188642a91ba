import Timestamps

/// Whether our clock and the hub's say the same.
struct ClockSkew: Sendable {
    let hub: String
    /// From which difference on events are refused that were published by a right clock.
    let tolerance: Duration

    /// From which difference on it is worth a word: embargoes, quiet hours and the lives of events go by our clock.
    private static let remarkable = Duration.seconds(5)

    /// Compares.
    ///
    /// - Parameters:
    ///   - ours: Our clock in the middle of the request.
    ///   - theirs: The date of the answer, in whole seconds.
    ///   - roundTrip: How long the answer took, within which the difference cannot be told.
    /// - Returns: The fact.
    func fact(ours: Timestamp, theirs: Timestamp, within roundTrip: Duration) -> CheckFact {
        // A date that is cut to whole seconds is half a second old on average.
        let difference = ours - (theirs + .milliseconds(500))
        let size = difference < .zero ? .zero - difference : difference
        let seconds = (size + .milliseconds(500)).components.seconds
        let uncertainty = roundTrip / 2 + .seconds(1)
        guard size > Self.remarkable + uncertainty else { return .ok(.clock, "", "agrees with that of hub \(hub)") }
        let what =
            "this machine's clock is \(seconds) s \(difference < .zero ? "behind" : "ahead of") that of hub \(hub)"
        let remedy = "see that time is synchronised (NTP): embargoes, quiet hours and the lives of events go by it"
        guard size > tolerance else { return .advice(.clock, "", .clockSkew, "\(what): \(remedy)") }
        return .problem(.refused, .clock, "", .clockSkew, "\(what), more than policy.clockSkew: \(remedy)")
    }
}
