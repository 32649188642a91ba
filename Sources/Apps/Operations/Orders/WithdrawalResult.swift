package import NewsflashEvents
import NewsflashKafka
package import NewsflashPublishing
import NewsflashStrictJSON
package import NewsflashTopicPartitions
package import NewsflashWorker

/// The result of a withdrawal, as far as workers have recorded it.
package enum WithdrawalResult: Sendable, Equatable {
    /// Hubs accepted it for each audience that was notified, or may have been.
    case withdrawn
    /// Each audience had it before.
    case withdrawnBefore
    /// Nothing of the story was sent to any hub.
    case nobodyNotified
    /// Its source is paused.
    case waits
    /// It ended, but an audience may not have it.
    case incomplete
    /// No worker has recorded an outcome in time.
    case unanswered

    init(_ outcome: OutcomeRecord?) {
        guard let outcome else {
            self = .unanswered
            return
        }
        self =
            switch (outcome.isFinal, outcome.verdict.outcome, outcome.verdict.reason) {
            case (false, .held, "held.source"), (false, .held, "held.volume_limit"): .waits
            case (false, _, _): .unanswered
            case (true, .sent, _): outcome.hasReachedAll ? .withdrawn : .incomplete
            case (true, .suppressed, "suppressed.killed"): .withdrawnBefore
            case (true, .suppressed, "suppressed.never_sent"): .nobodyNotified
            default: .incomplete
            }
    }

    /// Whether the result is not expected to change.
    var isSettled: Bool { self != .unanswered }
}

extension OutcomeRecord {
    /// Whether hubs accepted a request for each audience, and there was one.
    fileprivate var hasReachedAll: Bool {
        !self.targets.isEmpty && self.targets.allSatisfy { $0.report.status == .accepted }
    }
}

/// One withdrawal that was written, and its result.
package struct WithdrawalReport: Sendable {
    /// The name of the source in the configuration.
    package let source: String
    package let event: NewsEvent
    package let origin: LaterOutcomes.Origin
    /// The facts of the story before the withdrawal, if they are known.
    package var facts: StoryFacts?
    /// The latest outcome that a worker recorded.
    package var outcome: OutcomeRecord?
    /// How long the command waited for an outcome, as the user wrote it.
    package let patience: String

    package var result: WithdrawalResult { WithdrawalResult(outcome) }

    /// A heading, and a line for each audience.
    package var lines: [String] {
        let place = "story \(event.story), source \(source)"
        switch result {
        case .withdrawn, .incomplete:
            let targets = outcome?.targets ?? []
            let accepted = targets.count { $0.report.status == .accepted }
            var heading = "withdrawn at \(accepted) of \(audiences(targets.count)): \(place)"
            if result == .incomplete {
                heading = "\(accepted == 0 ? "NOT withdrawn" : "NOT fully \(heading)")"
                if accepted == 0 { heading += ": \(place)" }
                heading += "; \(outcome?.verdict.words ?? "")"
            }
            return [heading] + targets.map { "  \(OutcomeWords.line($0))" }
        case .withdrawnBefore:
            let earlier = (facts?.audiences ?? []).filter { $0.act.kind == .kill && $0.certainty == .accepted }
            let heading =
                earlier.isEmpty
                ? "withdrawn before, no audience is left to notify: \(place)"
                : "withdrawn before at \(audiences(earlier.count)): \(place)"
            return [heading] + earlier.map { "  \(LedgerSummary.line($0))" }
        case .nobodyNotified:
            return ["nobody was notified, so nobody was sent a withdrawal; what waited was stopped: \(place)"]
        case .waits: return ["waits, nobody has it yet: \(place)"] + waitLines.map { "  " + $0 }
        case .unanswered:
            return [
                "written, but no worker has answered for \(patience): \(place)",
                "  no worker runs or reads this source, one is behind, or its hub accepts nothing: see 'newsflash status'",
                "  the withdrawal stays in \(origin.topic)[\(origin.partition)] at offset \(origin.offset), and is sent when a "
                    + "worker can",
            ]
        }
    }

    /// Why it waits, and what ends the wait.
    private var waitLines: [String] {
        let cause =
            outcome?.verdict.reason == "held.volume_limit" ? "a volume limit paused the source" : "the source is paused"
        return [
            "\(cause): see 'newsflash pauses'",
            "it is sent with all other waiting news after 'newsflash resume --source \(source)', or '--all' if all is paused",
            "only the withdrawal is sent after 'newsflash resume --event \(event.id)'",
        ]
    }

    private func audiences(_ count: Int) -> String { counted(count, "audience") }
}

extension EventVerdict {
    /// The reason and its detail, such as `partial.hub_removed: …`.
    fileprivate var words: String { "\(reason ?? outcome.rawValue)\(detail.map { ": \($0)" } ?? "")" }
}

extension WithdrawalReport {
    /// The report as a JSON object.
    package var json: [UInt8] {
        JSONWriter.object { writer in
            writer.member("type", "withdrawal")
            writer.member("story", event.story)
            writer.member("source", source)
            writer.member("event", event.id)
            writer.member("topic", origin.topic)
            writer.member("partition", Int64(origin.partition))
            writer.member("offset", origin.offset)
            writer.member("result", result.word)
            let targets = outcome?.targets ?? []
            writer.member("accepted", Int64(targets.count { $0.report.status == .accepted }))
            writer.member("audiences", Int64(targets.count))
            if let outcome {
                writer.name("outcome")
                writer.raw(outcome.json)
            }
        }
    }
}

extension WithdrawalResult {
    fileprivate var word: String {
        switch self {
        case .withdrawn: "withdrawn"
        case .withdrawnBefore: "withdrawn_before"
        case .nobodyNotified: "nobody_notified"
        case .waits: "waits"
        case .incomplete: "incomplete"
        case .unanswered: "unanswered"
        }
    }
}

extension StorySearch.Found {
    /// The similar names and unread records for a story that no ledger has, as a JSON object.
    ///
    /// - Parameters:
    ///   - story: The name of the story.
    ///   - unread: The number of records that no worker has processed, per source.
    /// - Returns: One line.
    package func unknownJSON(_ story: String, unread: [(source: String, records: Int64)]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("type", "unknown")
        writer.member("story", story)
        writer.member("similar", near.newest)
        writer.name("unread")
        writer.beginObject()
        for (source, records) in unread {
            writer.name(source)
            writer.value(records)
        }
        writer.endObject()
        writer.endObject()
        return writer.finish()
    }
}

/// Writes withdrawals and waits for their outcomes.
package struct WithdrawalWriting: Sendable {
    package let settings: TopicSettings
    /// How long to wait for outcomes, as the user wrote it.
    package let patience: String

    package init(settings: TopicSettings, patience: String) {
        self.settings = settings
        self.patience = patience
    }

    /// Writes records, each to its own partition, and waits for their outcomes.
    ///
    /// - Throws: ``OperationError`` if one was not written, or the outcomes cannot be read.
    package func write(_ kills: [KillRecord]) async throws(OperationError) -> [WithdrawalReport] {
        let beginning = await beginning()
        var reports: [WithdrawalReport] = []
        var failure: KafkaError?
        do throws(KafkaError) {
            let producer = try KafkaProducer(KafkaProducerConfiguration(client: settings.kafka))
            let results = await SlowOperationNotice.noting("waiting for Kafka to confirm") {
                await producer.send(kills.map(\.record))
            }
            await producer.close(deadline: .seconds(5))
            for (kill, result) in zip(kills, results) {
                switch result {
                case .success(let place):
                    let origin = LaterOutcomes.Origin(place.topicPartition, place.offset)
                    reports.append(report(kill.event, kill.source, at: origin, facts: kill.facts))
                case .failure(let error): failure = failure ?? error
                }
            }
        } catch {
            failure = error
        }
        if let failure {
            let topics = Set(kills.map(\.record.topic)).sorted().joined(separator: ", ")
            throw OperationError(
                .unavailable,
                settings.kafka,
                failure,
                right: "Write on the topic \(topics)",
                state: "\(reports.count) of \(counted(kills.count, "withdrawal")) written: run the command again, a "
                    + "second withdrawal reaches nobody twice"
            )
        }
        return try await awaitOutcomes(of: reports, from: beginning)
    }

    /// A report on a record that was written.
    package func report(
        _ event: NewsEvent,
        _ source: String,
        at origin: LaterOutcomes.Origin,
        facts: StoryFacts? = nil
    ) -> WithdrawalReport {
        WithdrawalReport(source: source, event: event, origin: origin, facts: facts, patience: patience)
    }

    /// Finds the present end of the outcomes. If it is not known, the withdrawal is still written.
    package func beginning() async -> Result<[TopicPartition: Int64], OperationError> {
        do throws(OperationError) {
            return .success(try await OutcomeWait(settings).beginning())
        } catch {
            return .failure(error)
        }
    }

    /// Waits for the outcomes of records that are written.
    package func awaitOutcomes(
        of reports: [WithdrawalReport],
        from beginning: Result<[TopicPartition: Int64], OperationError>
    ) async throws(OperationError) -> [WithdrawalReport] {
        do throws(OperationError) {
            let outcomes = try await OutcomeWait(settings).outcomes(
                of: Set(reports.map(\.origin)),
                from: try beginning.get(),
                within: Duration(configured: patience) ?? .seconds(30)
            ) { WithdrawalResult($0).isSettled }
            return reports.map { report in
                var report = report
                report.outcome = outcomes[report.origin]
                return report
            }
        } catch {
            let story = reports.first?.event.story ?? ""
            throw OperationError(
                error.kind,
                "the withdrawal is written, but its outcome cannot be read (look again with 'newsflash outcomes "
                    + "--story \(story.harmless)'): \(error.description)"
            )
        }
    }
}

extension [WithdrawalReport] {
    /// Throws an error unless every audience that was notified has the withdrawal, and there was one.
    package func requireSuccess() throws(OperationError) {
        let results = map(\.result)
        let isDone = results.allSatisfy { [.withdrawn, .withdrawnBefore, .nobodyNotified].contains($0) }
        if isDone, results.contains(where: { $0 != .nobodyNotified }) { return }
        let story = first?.event.story.harmless ?? ""
        throw OperationError(
            .foundProblems,
            isDone
                ? "nobody was notified of story \(story)"
                : "not every audience has the withdrawal: look again with 'newsflash outcomes --story \(story)'"
        )
    }
}
