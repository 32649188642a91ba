import FoundationEssentials
import NewsflashTimestamps
import Testing

@testable import NewsflashPublishing

/// Compares the states, steps and waits with the tables of the article "Life of an event".
@Suite(.timeLimit(.minutes(1)))
struct EventStateTests {
    private typealias State = NewsflashPublishing.Event.State
    private typealias Step = NewsflashPublishing.Event.Step

    private static let end = Timestamp(nanoseconds: 1_000_000_000)
    private static let wait = Wait.embargo(end)
    private static let expired = EventVerdict(.expired)
    private static let sent = EventVerdict(.sent)

    /// One state for each name, in the order of the names.
    private static let states: [State] = [
        .undecided, .waiting(.turn), .queued, .sending, .ending(expired), .recording(sent),
    ]
    private static let steps: [Step] = [.wait(wait), .enqueue, .plan, .cancel(expired), .end(sent)]
    private static let waits: [Wait] = [
        .turn, .ledger, .text, .approval(until: end), .embargo(end), .quietHours(until: end),
        .pause(until: end), .embargoDropped(until: end), .volumeLimit(until: end), .hub(until: end),
    ]

    @Test func `each step leads from each state to the state in the article's table`() throws {
        let table = try articleTable(startingWith: "state")
        #expect(table.header == ["state", "meaning"] + Self.steps.map(\.name))
        #expect(table.rows.map(\.first) == Self.states.map(\.name))
        for (state, row) in zip(Self.states, table.rows) {
            #expect(row.count == table.header.count)
            for (step, cell) in zip(Self.steps, row.dropFirst(2)) {
                let next = NewsflashPublishing.Event.state(after: step, in: state)
                #expect(next?.name ?? "–" == cell, "\(step.name) in \(state.name)")
            }
        }
    }

    @Test func `the states named by health and metrics are those of the article's table`() throws {
        #expect(try articleTable(startingWith: "state").rows.map(\.first) == PublishingStatus.stateNames)
        #expect(Self.states.map(\.index) == Array(State.names.indices))
    }

    @Test func `the article's table of waits has each cause with its name in the ledger`() throws {
        let table = try articleTable(startingWith: "cause")
        #expect(table.rows.map { [$0[0], $0[2]] } == Self.waits.map { [$0.name, $0.reason?.rawValue ?? "–"] })
    }

    @Test func `a state contains the cause or the outcome of its step`() {
        #expect(NewsflashPublishing.Event.state(after: .wait(Self.wait), in: .waiting(.turn)) == .waiting(Self.wait))
        #expect(NewsflashPublishing.Event.state(after: .cancel(Self.expired), in: .sending) == .ending(Self.expired))
        #expect(
            NewsflashPublishing.Event.state(after: .end(Self.sent), in: .ending(Self.expired)) == .recording(Self.sent)
        )
    }

    /// Reads the table of the article whose first column has this name.
    private func articleTable(startingWith column: String) throws -> (header: [String], rows: [[String]]) {
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
        let path = root + "/Sources/Rules/Publishing/NewsflashPublishing.docc/LifeOfAnEvent.md"
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let table = lines.drop { !$0.hasPrefix("| \(column) |") }.prefix { $0.hasPrefix("|") }
        let cells = table.map { line in
            line.split(separator: "|").map { cell in
                String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
        }
        let header = try #require(cells.first)
        return (header, Array(cells.dropFirst(2)))
    }
}

extension NewsflashPublishing.Event.Step {
    fileprivate var name: String {
        switch self {
        case .wait: "wait"
        case .enqueue: "enqueue"
        case .plan: "plan"
        case .cancel: "cancel"
        case .end: "end"
        }
    }
}

extension Wait {
    fileprivate var name: String {
        switch self {
        case .turn: "turn"
        case .ledger: "ledger"
        case .text: "text"
        case .approval: "approval"
        case .embargo: "embargo"
        case .quietHours: "quietHours"
        case .pause: "pause"
        case .volumeLimit: "volumeLimit"
        case .embargoDropped: "embargoDropped"
        case .hub: "hub"
        }
    }
}
