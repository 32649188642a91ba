import Basics
import Kafka
import StrictJSON
import TopicPartitions

/// Writes planned records to a topic and waits until the brokers have them.
struct EventPublisher {
    let topic: String
    let cluster: KafkaConfiguration
    /// Whether the results are printed as JSON.
    let json: Bool

    /// Writes the records, and prints the result of each.
    ///
    /// - Parameters:
    ///   - plan: A checked plan without refusals.
    ///   - headers: The headers of all records.
    /// - Returns: The position of each record.
    /// - Throws: ``CommandError`` if the topic is missing, or a record was not confirmed.
    @discardableResult
    func publish(_ plan: PublishPlan, headers: [KafkaHeader]) async throws(CommandError) -> [LaterOutcomes.Origin] {
        let needed = NeededTopic(role: .source, name: topic)
        // Searched in the list of all topics, because a request for its name may create it, with one partition.
        guard try await TopicSurvey.present([needed], at: cluster, withSettings: false).first?.topic != nil else {
            throw CommandError(
                .unavailable,
                "Kafka at \(cluster.bootstrapServers) has no topic \(topic): make it with 'newsflash topics create'"
            )
        }
        let confirmations = Confirmations()
        let order: ConfirmationOrder
        do throws(KafkaError) {
            let producer = try KafkaProducer(
                KafkaProducerConfiguration(client: cluster, maximumQueued: max(10_000, plan.entries.count)),
                delegate: confirmations
            )
            // The delivery reports contain the same error if this fails.
            try? await producer.warm(topics: [topic])
            producer.produce(plan.records(to: topic, headers: headers))
            order = await SlowOperationNotice.noting("waiting for Kafka to confirm") {
                await show(confirmations, of: plan)
            }
            await producer.close(deadline: .seconds(5))
        } catch {
            throw CommandError(.unavailable, cluster, error, right: "Write on the topic \(topic)")
        }
        guard let first = order.failures.first else {
            return order.places.map {
                LaterOutcomes.Origin(TopicPartition(topic: topic, partition: $0.partition), $0.offset)
            }
        }
        let heading = "\(order.failures.count) of \(counted(plan.entries.count, "record")) not confirmed"
        guard order.failures.contains(where: { $0.code != .messageTooLarge }) else {
            throw CommandError(.badData, "\(heading): larger than the topic allows; see the lines above")
        }
        throw CommandError(.unavailable, cluster, KafkaError(first.code, "\(heading): \(first.message)"))
    }

    /// Prints the result of each record once it and all records before it have one.
    private func show(_ confirmations: Confirmations, of plan: PublishPlan) async -> ConfirmationOrder {
        var order = ConfirmationOrder(count: plan.entries.count)
        for await reports in confirmations.reports {
            for (index, report) in order.receive(reports) {
                let confirmation = Confirmation(topic: topic, entry: plan.entries[index], report: report)
                if !confirmation.isConfirmed { StandardError.write(confirmation.line) }
                if json {
                    StandardOutput.write(confirmation.json)
                } else if confirmation.isConfirmed {
                    StandardOutput.write(confirmation.line)
                }
            }
            if order.isComplete { break }
        }
        return order
    }
}

/// The delivery result of one published record.
struct Confirmation: Sendable {
    var topic: String
    var entry: PublishPlan.Entry
    var report: KafkaDeliveryReport

    /// Whether the brokers confirmed the record.
    var isConfirmed: Bool {
        if case .success = report.result { true } else { false }
    }

    /// The record on one line.
    var line: String {
        let name = entry.eventID ?? entry.place
        switch report.result {
        case .success(let place):
            return "\(topic) partition \(place.partition) offset \(place.offset): \(name)"
        case .failure(let error):
            let doubt =
                report.mayBePersisted
                ? "; it may still be in the topic (a worker skips an event that it has already seen)" : ""
            return "\(entry.place): \(entry.eventID.map { "\($0): " } ?? "")not confirmed: \(error)\(doubt)"
        }
    }

    /// The record as a JSON object.
    var json: [UInt8] {
        JSONWriter.object { writer in
            writer.member("place", entry.place)
            writer.member("topic", topic)
            writer.member("event", entry.eventID)
            writer.member("key", entry.key.map { String(decoding: $0, as: UTF8.self) })
            writer.member("confirmed", isConfirmed)
            switch report.result {
            case .success(let place):
                writer.member("partition", Int64(place.partition))
                writer.member("offset", place.offset)
            case .failure(let error):
                writer.member("error", error.description)
                writer.member("mayBePersisted", report.mayBePersisted)
            }
        }
    }
}

/// Receives delivery reports and passes them to the waiting command.
final class Confirmations: KafkaProducerDelegate {
    /// The reports, in no particular order.
    let reports: AsyncStream<[KafkaDeliveryReport]>
    private let continuation: AsyncStream<[KafkaDeliveryReport]>.Continuation
    private let lastFault = Locked<String?>(nil)

    init() {
        (reports, continuation) = AsyncStream.makeStream()
    }

    func kafkaProducer(_ producer: KafkaProducer, didDeliver reports: [KafkaDeliveryReport]) {
        continuation.yield(reports)
    }

    func kafkaProducer(_ producer: KafkaProducer, didFail error: KafkaError) {
        let isNew = lastFault.withLock { last in
            defer { last = error.description }
            return last != error.description
        }
        // The same error is reported repeatedly while brokers are unavailable.
        if isNew { StandardError.write("Kafka: \(error); still trying") }
    }
}

/// Sorts delivery reports into the order of the records, and collects failures.
struct ConfirmationOrder {
    private var waiting: [KafkaDeliveryReport?]
    private var next = 0
    private(set) var failures: [KafkaError] = []
    /// The positions of the confirmed records, in the order of their confirmations.
    private(set) var places: [KafkaDeliveryReport.Place] = []

    /// - Parameter count: The number of records.
    init(count: Int) {
        waiting = Array(repeating: nil, count: count)
    }

    /// Whether each record has a report.
    var isComplete: Bool { next == waiting.count }

    /// Receives reports.
    ///
    /// - Parameter reports: Reports in any order.
    /// - Returns: The reports that are next in the order of the records.
    mutating func receive(_ reports: [KafkaDeliveryReport]) -> [(index: Int, report: KafkaDeliveryReport)] {
        for report in reports {
            guard let index = Int(exactly: report.id), waiting.indices.contains(index) else { continue }
            waiting[index] = report
            switch report.result {
            case .success(let place): places.append(place)
            case .failure(let error): failures.append(error)
            }
        }
        var ready: [(index: Int, report: KafkaDeliveryReport)] = []
        while next < waiting.count, let report = waiting[next] {
            ready.append((next, report))
            next += 1
        }
        return ready
    }
}
