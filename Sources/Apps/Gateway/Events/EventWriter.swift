import NewsflashBasics
package import NewsflashKafka

/// Writes records to Kafka and waits for the brokers' confirmation of each.
package final class EventWriter: KafkaProducerDelegate {
    private struct State {
        var producer: KafkaProducer?
        var next: UInt64 = 0
        var waiting: [UInt64: CheckedContinuation<KafkaDeliveryReport, Never>] = [:]
    }

    private let client: KafkaConfiguration
    private let state = Locked(State())
    private let topics: TopicDirectory

    /// Creates a writer without a connection.
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

    /// The error of the last query of the cluster; `nil` if it succeeded.
    var fault: String? { topics.fault?.description }

    /// Connects in the background; unavailable brokers are retried.
    ///
    /// - Throws: ``KafkaError`` that names an invalid property.
    package func open() throws(KafkaError) {
        // Short, because the client waits for the confirmation and retries itself.
        let settings = KafkaProducerConfiguration(client: client, messageTimeout: .seconds(10))
        let producer = try KafkaProducer(settings, delegate: self)
        state.withLock { $0.producer = producer }
    }

    /// Closes the connection; records that are not confirmed by then fail.
    package func close() async {
        await state.withLock { $0.producer.take() }?.close(deadline: .seconds(5))
    }

    /// Writes a record.
    ///
    /// - Parameters:
    ///   - topic: An existing topic. Brokers may create a missing one on demand, with their default settings.
    ///   - key: The record's key, which determines its partition.
    ///   - value: The record.
    ///   - headers: The headers, in order.
    /// - Returns: The record's position.
    /// - Throws: ``GatewayRefusal``, 503, if the brokers did not confirm the record.
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
                throw GatewayRefusal(413, "too_large", "The event exceeds the maximum message size of the topic.")
            }
            let doubt = report.mayBePersisted ? "it may still be in the topic, but" : "it is not in the topic;"
            var refusal = GatewayRefusal.unavailable(
                "kafka_unavailable",
                "Kafka did not confirm the event: \(doubt) sending the same event again is safe."
            )
            refusal.detail = error.description
            throw refusal
        }
    }

    private func require(_ topic: String) async throws(GatewayRefusal) {
        var refusal = GatewayRefusal.unavailable(
            "kafka_unavailable",
            "Kafka is not available now: try again.",
            after: .seconds(5)
        )
        do throws(KafkaError) {
            guard try await !topics.contains(topic) else { return }
            refusal.detail =
                "Kafka has no topic \(topic), or does not show it to the gateway's user: make it with 'newsflash topics apply', "
                + "or give the user the rights Read and Write on it"
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
