/// The results of all guarantees for one run.
package struct Findings: CustomStringConvertible, Sendable {
    package let lost: NothingLost
    package let doubles: NoNeedlessDoubles
    package let order: OrderedPerStory
    package let outcomes: OneFinalOutcome
    package let forbidden: NothingForbiddenSent
    package let withdrawals: WithdrawalReachesAll
    package let embargoes: EmbargoMet
    package let express: ExpressFirst
    package let enough: EnoughSeen

    /// Checks a run against all guarantees.
    ///
    /// - Parameters:
    ///   - evidence: The evidence of the run.
    ///   - givenUp: The share of records that the desk itself may give up.
    package init(_ evidence: Evidence, givenUp: Double = 0) {
        lost = NothingLost(evidence)
        doubles = NoNeedlessDoubles(evidence)
        order = OrderedPerStory(evidence, explained: doubles.explained)
        outcomes = OneFinalOutcome(evidence)
        forbidden = NothingForbiddenSent(evidence, explained: doubles.explained)
        withdrawals = WithdrawalReachesAll(evidence, explained: doubles.explained)
        embargoes = EmbargoMet(evidence)
        express = ExpressFirst(evidence)
        enough = EnoughSeen(
            evidence,
            givenUp: givenUp,
            embargoes: embargoes,
            express: express,
            withdrawals: withdrawals
        )
    }

    /// All guarantees.
    package var all: [any Guarantee] {
        [lost, doubles, order, outcomes, forbidden, withdrawals, embargoes, express, enough]
    }

    /// One line of figures.
    package var description: String { all.map(\.figures).joined(separator: ", ") }
}
