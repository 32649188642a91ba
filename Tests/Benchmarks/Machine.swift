import HTTPTransport
import NotificationHubs
import Publishing
import Worker

/// Drives the publishing machine as the worker's thread does, with a hub and a broker that answer at once.
struct Machine {
    private(set) var core: PublishingCore
    /// Whether orders are kept, to work on them in other benchmarks.
    var keepsOrders = false
    private(set) var sends: [SendOrder] = []
    private(set) var writes: [WriteOrder] = []
    let partition: PartitionID
    private var now: Moment
    private var answers: [SendResult] = []
    private var reports: [WriteResult] = []
    private var ledgerEnd: Int64 = 0
    private var endedCount = 0
    private let accepted: HubReply

    init(_ workload: Workload, planner: any EventPlanning) {
        now = workload.now
        accepted = HubClient.reply(to: .success(HTTPResponse.accepted(0)), now: workload.now.wall)
        core = PublishingCore(configuration: workload.configuration.core, planner: planner, seed: 42)
        partition = core.partition(Workload.source)
        let stories = StoryLedgerTable(byteLimit: workload.configuration.core.storyMemoryBytes)
        let assignment = core.assign(partition)
        let empty = RestoredLedger(partition: partition, assignment: assignment, stories: stories)
        core.restored(empty, now: now)
        perform()
    }

    /// Takes a batch of records and goes on until all their events have ended.
    mutating func publish(_ records: [IncomingRecord]) throws(BenchmarkError) {
        endedCount = 0
        core.take(records, now: now)
        turn()
        while !answers.isEmpty || !reports.isEmpty {
            now = now + .milliseconds(2)
            let (answers, reports) = (answers, reports)
            self.answers = []
            self.reports = []
            if !answers.isEmpty { core.sendsEnded(answers[...], now: now) }
            if !reports.isEmpty {
                // First the ledger's record of each, then the outcome's.
                core.areRemembered(reports.map(\.id), now: now)
                core.writesEnded([], now: now)
                turn()
                core.writesEnded(reports, now: now)
            }
            turn()
        }
        guard endedCount == records.count else {
            throw BenchmarkError("\(endedCount) of \(records.count) events have ended")
        }
    }

    private mutating func turn() {
        core.timePassed(now: now)
        perform()
    }

    private mutating func perform() {
        for action in core.takeActions() {
            switch action {
            case .send(let order):
                if keepsOrders { sends.append(order) }
                answers.append(SendResult(id: order.id, reply: accepted))
            case .write(let order):
                if keepsOrders { writes.append(order) }
                let isForLedger = order.ledger != nil
                reports.append(WriteResult(id: order.id, failure: nil, ledgerOffset: isForLedger ? ledgerEnd : nil))
                ledgerEnd += isForLedger ? 1 : 0
            case .commit(let offsets): core.commitEnded(Array(offsets.keys), succeeded: true, now: now)
            case .report(.ended(let outcome)):
                blackHole(outcome)
                endedCount += 1
            case .report(let report): blackHole(report)
            case .cancel, .recall, .flow, .control, .reloadCredentials: break
            }
        }
    }
}

extension HTTPResponse {
    /// What the service says to a send that it takes.
    static func accepted(_ number: Int) -> HTTPResponse {
        let name = String(String(1_000_000 + number).dropFirst())
        return HTTPResponse(
            status: 201,
            headers: [
                .init("Content-Length", "0"),
                .init(
                    "Location",
                    "https://newsdesk.servicebus.windows.net/hub/messages/NH-1-20260302-7f1c2d3e4-\(name)?api-version=2020-06"
                ),
                .init("Server", "Microsoft-HTTPAPI/2.0"),
                .init("TrackingId", "5b0a7c3e-91d2-4f68-a3b5-0c7de8\(name)_G12"),
                .init("x-ms-correlation-request-id", "e2f4d6b8-3a5c-4e7f-9182-b4c6d8\(name)"),
                .init("Strict-Transport-Security", "max-age=31536000; includeSubDomains"),
                .init("Date", "Mon, 02 Mar 2026 08:00:01 GMT"),
            ]
        )
    }
}
