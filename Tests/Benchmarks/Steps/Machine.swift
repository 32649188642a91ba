import NewsflashHTTPTransport
import NewsflashPublishing
import NewsflashWorker
import NotificationHubs

/// Drives the publishing core as the worker's thread does, with a hub and a broker that answer at once.
struct Machine: ~Copyable {
    /// The actions that the core requested, as inputs of other benchmarks.
    struct Orders {
        var sends: [SendRequest] = []
        var facts: [LedgerWrite] = []
        var outcomes: [OutcomeWrite] = []
    }

    private var core: PublishingCore
    /// The requested actions; `nil` if they are not needed.
    var orders: Orders?
    let partition: PartitionID
    private var now: Moment
    private var answers: [SendResult] = []
    private var ledgerResults: [LedgerResult] = []
    private var outcomeResults: [WriteResult] = []
    private var ledgerEnd: Int64 = 0
    private var endedCount = 0
    private let accepted: HubReply

    init(_ workload: Workload, planner: any EventPlanning) {
        now = workload.now
        accepted = HubClient.reply(to: .success(HTTPResponse.accepted(0)), now: workload.now.wall)
        core = PublishingCore(configuration: workload.configuration.core, planner: planner, seed: 42)
        partition = core.partition(Workload.source)
        let stories = StoryIndex(byteLimit: workload.configuration.core.storyMemoryBytes)
        let assignment = core.assign(partition, now: now)
        let empty = RestoredLedger(partition: partition, assignment: assignment, stories: stories)
        core.restored(empty, now: now)
        turn()
        // The ledger must contain the owner of the partition before work on it begins.
        goOn()
    }

    /// Processes a batch of records until all their events have ended.
    mutating func publish(_ records: [IncomingRecord]) throws(BenchmarkError) {
        endedCount = 0
        core.receive(records, now: now)
        turn()
        goOn()
        guard endedCount == records.count else {
            throw BenchmarkError("\(endedCount) of \(records.count) events have ended")
        }
    }

    /// Delivers all pending answers and confirmations until nothing is pending.
    private mutating func goOn() {
        while !answers.isEmpty || !ledgerResults.isEmpty || !outcomeResults.isEmpty {
            now = now + .milliseconds(2)
            let (answers, ledgerResults, outcomeResults) = (answers, ledgerResults, outcomeResults)
            self.answers = []
            self.ledgerResults = []
            self.outcomeResults = []
            if !answers.isEmpty { core.requestsEnded(answers[...], now: now) }
            if !ledgerResults.isEmpty { core.ledgerWritten(ledgerResults, now: now) }
            if !outcomeResults.isEmpty { core.outcomesWritten(outcomeResults, now: now) }
            turn()
        }
    }

    private mutating func turn() {
        core.timePassed(now: now)
        core.recordFacts(now: now)
        for action in core.dequeueActions() {
            switch action {
            case .send(let order):
                orders?.sends.append(order)
                answers.append(SendResult(id: order.id, reply: accepted))
            case .writeLedger(let batch):
                orders?.facts += batch.writes
                let end = ledgerEnd + Int64(batch.writes.count)
                let result = LedgerResult(
                    id: batch.id,
                    partition: batch.partition,
                    result: .success(Array(ledgerEnd..<end))
                )
                ledgerResults.append(result)
                ledgerEnd = end
            case .writeOutcome(let write):
                orders?.outcomes.append(write)
                outcomeResults.append(WriteResult(id: write.id, failure: nil))
            case .commit(let offsets): core.commitEnded(Array(offsets.keys), succeeded: true, now: now)
            case .report(.ended(let outcome)):
                blackHole(outcome)
                endedCount += 1
            case .report(let report): blackHole(report)
            case .cancel, .recall, .readLedgerAgain, .flow, .control, .reloadCredentials: break
            }
        }
    }
}

extension HTTPResponse {
    /// The service's answer to an accepted send.
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
