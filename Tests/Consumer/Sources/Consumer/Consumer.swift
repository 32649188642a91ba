import NewsSubscriptions
import NewsflashCurlTransport
import NewsflashKafka
import NotificationHubs

/// A subscriber's app, a desk and a sender in one, made of the three libraries alone.
///
///     consumer BROKERS TOPIC HUB FULL-CONNECTION-STRING LISTEN-CONNECTION-STRING FOLDER
@main
struct Consumer {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 7 else { return print("usage: consumer BROKERS TOPIC HUB FULL LISTEN FOLDER") }
        let transport = try CurlTransport()
        defer { transport.shutdown() }
        try await subscribe(listen: words[5], hub: words[3], folder: words[6], transport)
        try await publish(to: words[2], at: words[1])
        let hub = try NotificationHubClient(
            connection: HubConnectionString(words[4]),
            hub: words[3],
            transport: transport
        )
        try await forward(from: words[2], at: words[1], to: hub)
        let devices = try await hub.registrations(.tag(Tag("Sports"))).registrations
        print("devices with the tag Sports: \(devices.count)")
    }

    /// The app: a subscriber wants sports in Portuguese.
    static func subscribe(listen: String, hub: String, folder: String, _ transport: CurlTransport) async throws {
        let news = NewsSubscriber(
            registrar: try .hub(connection: listen, name: hub, transport: transport),
            storage: FileSubscriptionStorage(path: folder + "/subscriptions.json")
        )
        try await news.register(.apns(deviceToken: "00FC13ADFF785122B4AD28809A3420982341241421348097878E577C991DE8F0"))
        let portuguese = try NewsLanguage(locale: "pt-BR", name: "Portuguese")
        print("subscribed:", try await news.subscribe(to: [.sports], in: portuguese))
    }

    /// The desk: a headline for the topic, confirmed.
    static func publish(to topic: String, at brokers: String) async throws {
        let client = KafkaConfiguration(bootstrapServers: brokers, clientID: "desk")
        let producer = try KafkaProducer(KafkaProducerConfiguration(client: client))
        let delivery = try await producer.send(KafkaRecord(topic: topic, value: Array("Vitória no prolongamento".utf8)))
        print("published: \(delivery.topicPartition) at \(delivery.offset)")
        await producer.close()
    }

    /// The sender: events of the topic go to their subscribers, and are committed afterwards.
    static func forward(from topic: String, at brokers: String, to hub: NotificationHubClient) async throws {
        let client = KafkaConfiguration(bootstrapServers: brokers, clientID: "sender")
        let reading = KafkaConsumerConfiguration(client: client, groupID: "senders", offsetReset: .earliest)
        try await KafkaSubscription.with(reading, topics: [topic]) { subscription in
            for try await record in subscription {
                let headline = String(decoding: record.value ?? [], as: UTF8.self)
                let message = try HubMessage.template(properties: ["News_Portuguese": headline])
                let outcome = try await hub.test(message, to: .tags(TagExpression(parsing: "Sports")))
                print("sent \(record.timestamp == nil ? "undated" : "dated") news: \(outcome)")
                subscription.commit(record)
                try await subscription.flushCommits()
                break
            }
        }
    }
}
