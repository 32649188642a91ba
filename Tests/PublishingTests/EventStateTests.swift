import FoundationEssentials
import Testing
import Timestamps

@testable import Publishing

@Suite(.timeLimit(.minutes(1)))
struct EventStateTests {
    private typealias State = Publishing.Event.State
    private typealias Step = Publishing.Event.Step

    private static let end = Timestamp(nanoseconds: 1_000_000_000)
    private static let sent = EventVerdict(.sent)
    private static let expired = EventVerdict(.expired)

    /// One state of each name, in the order of the names.
    private static let states: [State] = [
        .undecided, .waiting(.turn), .queued, .sending, .ending(expired), .recording(sent),
    ]
    private static let steps: [Step] = [.wait(.embargo(end)), .enqueue, .plan, .cancel(expired), .end(sent)]

    @Test func `the article's table of states has the names of the code`() throws {
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
        let path = root + "/Sources/Rules/Publishing/Publishing.docc/LifeOfAnEvent.md"
        let article = try String(contentsOfFile: path, encoding: .utf8)
        let section = try #require(article.split(separator: "\n## States\n").last?.split(separator: "\n## ").first)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
        let names = rows.map { $0.dropFirst(2).prefix { $0 != " " } }.map(String.init)
        #expect(names == State.names)
    }

    @Test func `each state has its own name`() {
        #expect(Self.states.map(\.name) == State.names)
    }

    @Test func `each step leads from each state to the next one, or does not exist in it`() {
        let waiting = State.waiting(.embargo(Self.end))
        let ending = State.ending(Self.expired)
        let recording = State.recording(Self.sent)
        // A row for each state; its columns are: wait, enqueue, plan, cancel, end.
        let table: [[State?]] = [
            [waiting, .queued, nil, nil, recording],
            [waiting, .queued, nil, nil, recording],
            [waiting, nil, .sending, nil, recording],
            [waiting, nil, nil, ending, recording],
            [nil, nil, nil, nil, recording],
            [nil, nil, nil, nil, nil],
        ]
        #expect(table.map(\.count) == Self.states.map { _ in Self.steps.count })
        for (state, row) in zip(Self.states, table) {
            for (step, next) in zip(Self.steps, row) {
                #expect(State.after(step, state) == next, "\(step) in \(state)")
            }
        }
    }

    @Test func `what a state carries comes from the step`() {
        #expect(State.after(.wait(.release(until: Self.end)), .waiting(.turn)) == .waiting(.release(until: Self.end)))
        #expect(State.after(.end(Self.sent), .ending(Self.expired)) == .recording(Self.sent))
    }
}

extension Publishing.Event.State {
    fileprivate static func after(_ step: Publishing.Event.Step, _ state: Self) -> Self? {
        Publishing.Event.state(after: step, in: state)
    }
}
