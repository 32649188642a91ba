package import Kafka
import Locks

/// Writes records to Kafka and waits for each until the brokers have it.
package final class EventWriter: KafkaProducerDelegate {
    private struct State {
        var producer: KafkaProducer?
        var next: UInt64 = 0
        var waiting: [UInt64: CheckedContinuation<KafkaDeliveryReport, Never>] = [:]
    }

    private let client: KafkaConfiguration
    private let state = Locked(State())
    private let topics: TopicDirectory

    /// Makes a writer that has no connection yet.
    ///
    /// - Parameter client: Where the cluster is and who we are.
    package init(_ client: KafkaConfiguration) {
        self.client = client
        topics = TopicDirectory {
            do throws(KafkaError) {
                return .success(Set(try await KafkaAdmin(client).topics(timeout: .seconds(5)).map(\.name)))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Why the cluster could not be asked the last time; `nil` if it could.
    var fault: String? { topics.fault?.description }

    /// Connects, in the background: brokers that are away are tried on.
    ///
    /// - Throws: ``KafkaError`` that names a property that cannot be used.
    package func open() throws(KafkaError) {
        // A client waits for the confirmation, and tries again by itself.
        let settings = KafkaProducerConfiguration(client: client, messageTimeout: .seconds(10))
        let producer = try KafkaProducer(settings, delegate: self)
        state.withLock { $0.producer = producer }
    }

    /// Ends; records that are not confirmed by then are reported as failed.
    package func close() async {
        await state.withLock { $0.producer.take() }?.close(deadline: .seconds(5))
    }

    /// Writes a record.
    ///
    /// - Parameters:
    ///   - topic: Has to be there: brokers may make one that is asked for by name, with settings that nobody chose.
    ///   - key: Places the record.
    ///   - value: The record.
    ///   - headers: In order.
    /// - Returns: Where it lies.
    /// - Throws: ``GatewayRefusal``, 503 where the brokers did not confirm it.
    @discardableResult
    func write(
        to topic: String,
        key: String,
        value: [UInt8],
        headers: [KafkaHeader]
    ) async throws(GatewayRefusal) -> KafkaDeliveryReport.Place {
        try await require(topic)
        let report = await withCheckedContinuation { continuation in
            let (producer, id) = state.withLock { state in
                state.next += 1
                if state.producer != nil { state.waiting[state.next] = continuation }
                return (state.producer, state.next)
            }
            guard let producer else {
                let error = KafkaError(.closed, "the gateway is stopping")
                let report = KafkaDeliveryReport(id: id, result: .failure(error), mayBePersisted: false)
                return continuation.resume(returning: report)
            }
            producer.produce([
                KafkaRecord(topic: topic, key: Array(key.utf8), value: value, headers: headers, id: id)
            ])
        }
        switch report.result {
        case .success(let place): return place
        case .failure(let error):
            guard error.code != .messageTooLarge else {
                throw GatewayRefusal(413, "too_large", "The event is larger than the topic takes.")
            }
            let doubt = report.mayBePersisted ? "it may be in the topic all the same, and" : "it is not in the topic;"
            var refusal = GatewayRefusal.unavailable(
                "kafka_unavailable",
                "Kafka did not confirm the event: \(doubt) sending the same again is safe."
            )
            refusal.detail = error.description
            throw refusal
        }
    }

    private func require(_ topic: String) async throws(GatewayRefusal) {
        var refusal = GatewayRefusal.unavailable(
            "kafka_unavailable",
            "Kafka cannot be asked now: try again.",
            after: .seconds(5)
        )
        do throws(KafkaError) {
            guard try await !topics.contains(topic) else { return }
            refusal.detail = "Kafka has no topic \(topic): make it with 'newsflash topics create'"
        } catch {
            refusal.detail = error.description
        }
        throw refusal
    }

    package func kafkaProducer(_ producer: KafkaProducer, didDeliver reports: [KafkaDeliveryReport]) {
        let waiting = state.withLock { state in
            reports.map { ($0, state.waiting.removeValue(forKey: $0.id)) }
        }
        for (report, continuation) in waiting { continuation?.resume(returning: report) }
    }
}
