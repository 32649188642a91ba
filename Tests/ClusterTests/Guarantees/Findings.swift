/// All guarantees over what was seen of one run.
struct Findings: CustomStringConvertible, Sendable {
    let lost: NothingLost
    let doubles: NoNeedlessDoubles
    let order: OrderedPerStory
    let outcomes: OneFinalOutcome
    let forbidden: NothingForbiddenSent
    let embargoes: EmbargoMet
    let express: ExpressFirst

    /// Holds a run to all of them.
    init(_ evidence: Evidence) {
        lost = NothingLost(evidence)
        doubles = NoNeedlessDoubles(evidence)
        order = OrderedPerStory(evidence, explained: doubles.explained)
        outcomes = OneFinalOutcome(evidence)
        forbidden = NothingForbiddenSent(evidence, explained: doubles.explained)
        let isThrottled = evidence.faults.values.contains(.throttled)
        embargoes = EmbargoMet(evidence, pause: isThrottled ? HubFault.pause : .zero)
        express = ExpressFirst(evidence)
    }

    /// Each of them.
    var all: [any Guarantee] { [lost, doubles, order, outcomes, forbidden, embargoes, express] }

    /// One line of figures.
    var description: String { all.map(\.figures).joined(separator: ", ") }
}
