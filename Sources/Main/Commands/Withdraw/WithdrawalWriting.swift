import CommandLineArguments
import Kafka
import NewsEvents
import Publishing
import Worker

/// Writes withdrawals and waits for their outcomes.
struct WithdrawalWriting: Sendable {
    let settings: TopicSettings
    /// How long to wait for outcomes, as the user wrote it.
    let patience: String

    /// Writes records, each to its own partition, and waits for their outcomes.
    ///
    /// - Throws: ``CommandError`` if one was not written, or the outcomes cannot be read.
    func write(_ kills: [KillRecord]) async throws(CommandError) -> [WithdrawalReport] {
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
            throw CommandError(
                .unavailable,
                settings.kafka,
                KafkaError(
                    failure.code,
                    "\(reports.count) of \(counted(kills.count, "withdrawal")) written; run the command again, a second "
                        + "withdrawal reaches nobody twice: \(failure.message)"
                )
            )
        }
        return try await awaitOutcomes(of: reports, from: beginning)
    }

    /// A report on a record that was written.
    func report(
        _ event: NewsEvent,
        _ source: String,
        at origin: LaterOutcomes.Origin,
        facts: StoryFacts? = nil
    ) -> WithdrawalReport {
        WithdrawalReport(source: source, event: event, origin: origin, facts: facts, patience: patience)
    }

    /// Finds the present end of the outcomes. If it is not known, the withdrawal is still written.
    func beginning() async -> Result<[KafkaTopicPartition: Int64], CommandError> {
        do throws(CommandError) {
            return .success(try await OutcomeWait(settings).beginning())
        } catch {
            return .failure(error)
        }
    }

    /// Waits for the outcomes of records that are written.
    func awaitOutcomes(
        of reports: [WithdrawalReport],
        from beginning: Result<[KafkaTopicPartition: Int64], CommandError>
    ) async throws(CommandError) -> [WithdrawalReport] {
        do throws(CommandError) {
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
            throw CommandError(
                error.kind,
                "the withdrawal is written, but its outcome cannot be read (look again with 'newsflash outcomes "
                    + "--story \(story.harmless)'): \(error.description)"
            )
        }
    }
}

extension [WithdrawalReport] {
    /// Prints all of them.
    func show(json: Bool) {
        for report in self {
            if json { StandardOutput.write(report.json) } else { StandardOutput.write(lines: report.lines) }
        }
    }

    /// Ends the command with exit code 1 unless every audience that was notified has the withdrawal, and there was one.
    func requireSuccess() throws(CommandError) {
        let results = map(\.result)
        let isDone = results.allSatisfy { [.withdrawn, .withdrawnBefore, .nobodyNotified].contains($0) }
        if isDone, results.contains(where: { $0 != .nobodyNotified }) { return }
        let story = first?.event.story.harmless ?? ""
        throw CommandError(
            .foundProblems,
            isDone
                ? "nobody was notified of story \(story)"
                : "not every audience has the withdrawal: look again with 'newsflash outcomes --story \(story)'"
        )
    }
}
