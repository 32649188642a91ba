/// The promises that the oracle checks.
package enum Invariant: String, Sendable, CaseIterable, Comparable {
    /// At rest, each record has a final outcome or waits in the ledger for a named cause.
    case nothingLost = "nothing lost"
    /// A committed offset passes only records with a final outcome, or records that the ledger keeps.
    case commitAfterEnd = "commit after end"
    /// An event has one final outcome.
    case oneEnd = "one end"
    /// A final outcome is repeated only after a crash, a loss or a write that was reported as failed.
    case noRepeatedEnd = "no repeated end"
    /// `sent` and `partial` have an accepted request of this very act, and `sent` has all planned audiences.
    case truthfulSent = "truthful sent"
    /// An event does not end as unsent if a hub accepted it and its worker received the answer.
    case truthfulUnsent = "truthful unsent"
    /// A failed or invalid event is in the dead letters.
    case deadLetter = "dead letter"
    /// Each audience that was notified has the withdrawal at the end.
    case withdrawal = "withdrawal reaches all"
    /// Nothing of a story is sent after its withdrawal was accepted.
    case nothingAfterWithdrawal = "nothing after withdrawal"
    /// An audience gets no older revision after a newer one.
    case order = "order"
    /// An audience is notified twice only if the first request had no certain answer, or after a crash or a loss.
    case noDuplicate = "no duplicate"
    /// A crash or loss causes at most as many second notifications as requests may be at risk.
    case crashBound = "crash bound"
    /// Requests in flight, and accepted ones that the ledger does not contain, are bounded.
    case atRiskBound = "at risk bound"
    /// The ledger soon contains a request in flight, so that a later owner can read it.
    case recordInFlight = "record in flight"
    /// Nothing is sent before its embargo ends.
    case embargo = "embargo"
    /// Nothing is sent after the end of its life.
    case expiry = "expiry"
    /// The requests of a flash begin soon even if other events wait.
    case express = "express"
    /// At rest no request is in flight, and offsets are committed to the end.
    case nothingStuck = "nothing stuck"
    /// An audience that a superseded event still owed gets the correction that superseded it.
    case inheritedAudience = "inherited audience"
    /// No request of a paused source begins.
    case pause = "pause"
    /// No request begins for a partition that is revoked or lost.
    case noRequestWhileLeaving = "no request while leaving"
    /// Events of mode test reach the test hub only, and events of mode backfill nobody.
    case mode = "mode"
    /// A withdrawal or correction goes to nobody who is neither notified nor named.
    case addressees = "addressees"
    /// A story is sent to one hub under one label, whatever hub has that label in a configuration.
    case hubAddress = "hub address"
    /// The fleet comes to rest.
    case endsInTime = "ends in time"
    /// The scenario's own expectations.
    case expectation = "expectation"

    package static func < (left: Invariant, right: Invariant) -> Bool { left.rawValue < right.rawValue }
}

/// A promise that a run broke.
package struct Violation: Sendable, CustomStringConvertible {
    package var invariant: Invariant
    package var detail: String

    package var description: String { "\(invariant.rawValue): \(detail)" }
}
