import NewsflashEvents
import NewsflashHTTPTransport
import NewsflashPublishing
import NewsflashTimestamps
import NotificationHubs

/// A story of a source. Stories with the same name in two sources are unrelated.
struct RehearsedStory: Hashable {
    var source: Int
    var story: String
}

/// An event that subscribers were or may have been notified of.
struct RehearsedNotification {
    /// The index of its record.
    var record: Int
    var event: String
    /// The audiences, each with hub and format.
    var audiences: Set<String>
}

/// One audience of one act.
struct RehearsedAudience: Hashable {
    var story: RehearsedStory
    var event: String
    var revision: Int64
    var kind: EventKind
    var recipients: String

    init(_ event: NewsEvent, of source: Int, _ send: PlannedSend) {
        story = RehearsedStory(source: source, story: event.story)
        self.event = event.id
        revision = event.revision
        kind = event.kind
        recipients = "\(send.hub) \(send.platform) \(send.locale ?? "") \(send.expression)"
    }

    /// Whether it is an audience of an event.
    func isOf(_ event: NewsEvent, in source: Int) -> Bool {
        story == RehearsedStory(source: source, story: event.story) && self.event == event.id
            && revision == event.revision && kind == event.kind
    }
}

extension Rehearsal {
    /// Performs the core's requests until there are none.
    mutating func perform() {
        while true {
            core.timePassed(now: now)
            core.recordFacts(now: now)
            let actions = core.dequeueActions()
            if actions.isEmpty { return }
            for action in actions { perform(action) }
        }
    }

    private mutating func perform(_ action: PublishingAction) {
        switch action {
        case .send(let order) where core.isInFlight(order.id):
            send(order)
        case .send(let order):
            core.abandon(order.id)
        case .cancel(let ids):
            cancel(ids)
        case .writeLedger(let batch):
            let source = source(of: batch.partition)
            let offsets = batch.writes.map { sources[source].ledger.append($0) }
            core.ledgerWritten(
                [LedgerResult(id: batch.id, partition: batch.partition, result: .success(offsets))],
                now: now
            )
        case .writeOutcome(let write):
            core.outcomesWritten([WriteResult(id: write.id, failure: nil)], now: now)
        case .recall(let order):
            core.recalled(recall(order), now: now)
        case .readLedgerAgain(let partition, let assignment):
            restore(source(of: partition), as: partition, assignment: assignment)
        case .commit(let offsets):
            commit(offsets)
            core.commitEnded(Array(offsets.keys), succeeded: true, now: now)
        case .control(let order):
            orders.append(order)
            core.controlled(.written(order, at: Int64(orders.count - 1)), now: now)
        case .report(.ended(let outcome)), .report(.deferred(let outcome)):
            record(outcome)
        case .report(.circuitOpened), .report(.circuitClosed):
            recordCircuits()
        case .flow, .reloadCredentials, .report:
            break
        }
    }

    private func source(of partition: PartitionID) -> Int {
        let partition = core.source(of: partition)
        return sources.firstIndex { $0.partition == partition } ?? 0
    }

    private func recall(_ order: RecallRequest) -> RecalledRecord {
        let source = source(of: order.partition)
        switch order.place {
        case .ledger(let offset):
            guard let (story, facts) = sources[source].ledger.record(at: offset) else {
                return RecalledRecord(id: order.id)
            }
            let events = facts.waiting.map { waiting in
                let headers = waiting.headers.map { EventHeader(name: $0.name, value: $0.value) }
                return IncomingRecord(
                    partition: order.partition,
                    offset: waiting.offset,
                    timestamp: waiting.timestamp,
                    content: decoder.decode(waiting.value, headers, of: source, writtenAt: waiting.timestamp),
                    original: RecordCopy(key: waiting.key, value: waiting.value, headers: waiting.headers)
                )
            }
            return RecalledRecord(id: order.id, story: story, facts: facts, events: events)
        case .source(let offset):
            guard sources[source].records.indices.contains(Int(offset)) else { return RecalledRecord(id: order.id) }
            return RecalledRecord(id: order.id, event: incoming(Int(offset), of: source, order.partition))
        }
    }

    // MARK: - Requests

    private mutating func send(_ order: SendRequest) {
        let answer = hubs[order.hub].answer(at: line)
        let reply = answer.reply(now: now.wall)
        if let place = order.place { record(order, at: place, answer, reply) }
        guard answer != .silence else { return silent.append((order.id, now.instant + timeout)) }
        core.requestsEnded([SendResult(id: order.id, reply: reply)], now: now)
    }

    /// Times out requests without a response.
    mutating func giveUpSilent() {
        while let first = silent.first, first.end <= now.instant {
            silent.removeFirst()
            core.requestsEnded(
                [SendResult(id: first.id, reply: RehearsedAnswer.silence.reply(now: now.wall))],
                now: now
            )
        }
    }

    private mutating func cancel(_ ids: [SendID]) {
        let cancelled = silent.filter { ids.contains($0.id) }
        silent.removeAll { ids.contains($0.id) }
        let error = HTTPTransportError(.cancelled, "the worker cancelled the request", mayHaveBeenReceived: true)
        for request in cancelled {
            let reply = HubClient.reply(to: .failure(error), now: now.wall)
            core.requestsEnded([SendResult(id: request.id, reply: reply)], now: now)
        }
    }

    /// Records a request for its event.
    private mutating func record(
        _ order: SendRequest,
        at place: RecordPosition,
        _ answer: RehearsedAnswer,
        _ reply: HubReply
    ) {
        let source = source(of: place.partition)
        let record = sources[source].records[Int(place.offset)]
        guard case .event(let event, warnings: _) = records[record].content,
            let send = planner.planned(order, to: configuration.hubs[order.hub].name, of: event)
        else { return faults.append("a request was sent that was not planned, to \(order.expression)") }
        idleTurns = 0
        let isAccepted = reply.verdict == .accepted
        records[record].add(
            RehearsedRequest(
                number: hubs[order.hub].requests,
                at: now.wall,
                hub: hubs[order.hub].label,
                send: send,
                answer: answer,
                isAccepted: isAccepted,
                lastAt: now.wall
            )
        )
        let audience = RehearsedAudience(event, of: source, send)
        if accepted.contains(audience) { faults.append("a request was sent twice, to \(order.expression)") }
        if isAccepted { accepted.insert(audience) }
        guard reply.mayHaveBeenAccepted else { return }
        var events = notified[audience.story] ?? []
        let earlier = events.firstIndex { $0.record == record }
        if earlier == nil {
            events.append(RehearsedNotification(record: record, event: event.id, audiences: []))
        }
        events[earlier ?? events.count - 1].audiences.formUnion(send.audiences)
        notified[audience.story] = events
    }

    // MARK: - Decisions

    /// Records which circuits have opened or closed.
    mutating func recordCircuits() {
        guard !records.isEmpty else { return }
        for (place, status) in core.status(now: now).hubs.enumerated()
        where status.circuit?.reason != hubs[place].openFor {
            hubs[place].openFor = status.circuit?.reason
            records[records.count - 1].circuits.append(
                RehearsedCircuit(at: now.wall, hub: hubs[place].label, reason: status.circuit?.reason)
            )
        }
    }

    private mutating func record(_ outcome: OutcomeRecord) {
        guard let source = sources.firstIndex(where: { $0.partition == outcome.origin.partition }),
            sources[source].records.indices.contains(Int(outcome.origin.offset))
        else { return }
        let place = sources[source].records[Int(outcome.origin.offset)]
        if let last = records[place].last {
            // A record that was not committed is read again after a restart, and ends with the same verdict.
            guard last.verdict != outcome.verdict || !outcome.isFinal else { return }
            let verdicts = [last, outcome].map { $0.verdict.reason ?? $0.verdict.outcome.rawValue }
            faults.append("event \(outcome.event) ended twice: \(verdicts.joined(separator: ", then "))")
            return
        }
        guard outcome.isFinal || outcome.verdict != records[place].outcomes.last?.verdict else { return }
        idleTurns = 0
        records[place].outcomes.append(outcome)
        guard outcome.isFinal, case .event(let event, warnings: _) = records[place].content else { return }
        recordPush(of: event, at: place, in: source, outcome.verdict)
    }

    /// Records what the accepted requests of an ended event contain.
    private mutating func recordPush(of event: NewsEvent, at place: Int, in source: Int, _ verdict: EventVerdict) {
        guard verdict.isNotified || !records[place].requests.isEmpty, let note = planner.removeNote(of: event) else {
            return
        }
        guard verdict.isNotified else { return }
        var sends: [PlannedSend] = []
        for request in records[place].requests where request.isAccepted {
            if !sends.contains(where: { $0.audience == request.send.audience }) { sends.append(request.send) }
        }
        guard !sends.isEmpty else {
            if !accepted.contains(where: { $0.isOf(event, in: source) }) {
                faults.append("event \(event.id) ended as sent, but no hub accepted a request for it")
            }
            return
        }
        var telling = RehearsedPush(note, accepted: sends, by: news)
        if telling.goesToTold {
            var left = Set(sends.flatMap(\.audiences))
            let story = RehearsedStory(source: source, story: event.story)
            for earlier in notified[story] ?? [] where earlier.record != place {
                guard !left.isDisjoint(with: earlier.audiences) else { continue }
                left.subtract(earlier.audiences)
                telling.audienceFrom.append(earlier.event)
            }
        }
        records[place].telling = telling
    }
}

extension PlannedSend {
    /// Its audiences, for comparison with those of another event, because a correction groups users differently.
    fileprivate var audiences: [String] {
        let names = isForUsers ? expression.tags.map(\.description) : [expression.description]
        return names.map { "\(hub) \(platform) \($0)" }
    }
}
