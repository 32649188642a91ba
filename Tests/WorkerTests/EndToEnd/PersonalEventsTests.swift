import NewsflashEvents
import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashPlanning
import NewsflashRendering
import NewsflashTimestamps
import NewsflashWorker
import NotificationHubs
import Testing

/// Events for named users and secure events, from the topic to the phones.
@Suite(.timeLimit(.minutes(4)))
struct PersonalEventsTests {
    /// A phone whose app shows the headline and keeps the id.
    private static func register(_ user: String, at hub: HubEmulator) throws {
        let connection = try HubConnectionString(hub.connectionStrings.first ?? "")
        let url = connection.endpoint.url + "/newsroom"
        let token = SharedAccessSignature(
            resource: SharedAccessSignature.resource(forURL: url),
            expiry: (Timestamp.now() + .seconds(300)).seconds,
            keyName: connection.keyName,
            key: connection.key
        )
        let body = #"{"aps":{"alert":"$(headline_en)"},"id":"$(id)","delivery":"$(delivery)","story":"$(story)"}"#
        let installation = Installation(
            id: "phone-of-\(user)",
            channel: .apns(
                deviceToken: String(repeating: "0", count: 48) + user.utf8.map { String($0, radix: 16) }.joined()
            ),
            tags: [try Tag("username:" + user), try Tag("World")],
            templates: [InstallationTemplate(name: "news", body: body)]
        )
        let answer = hub.answer(
            EmulatedRequest(
                method: "PUT",
                target: "/newsroom/installations/\(installation.id)?api-version=2020-06",
                headers: [
                    .init("Host", String(url.dropFirst("http://".count).prefix { $0 != "/" })),
                    .init("Authorization", token.headerValue), .init("Content-Type", "application/json"),
                ],
                body: InstallationJSON.write(installation)
            )
        )
        #expect(answer.response.status == 200)
    }

    private static func event(
        _ id: String,
        revision: Int64 = 1,
        kind: EventKind = .alert,
        users: [String],
        categories: [String] = []
    ) -> NewsEvent {
        var event = Desk.event(id, story: "story", revision: revision, kind: kind)
        event.users = users
        event.categories = categories
        return event
    }

    private func shown(at hub: HubEmulator) -> [String: [String]] {
        var shown: [String: [String]] = [:]
        for delivery in hub.settledDeliveries where delivery.outcome == .success {
            shown[delivery.installationID ?? "", default: []].append(
                String(decoding: delivery.notification.body, as: UTF8.self)
            )
        }
        return shown
    }

    @Test func `a phone gets the notice and the id of a secure event, and no request or log shows its words`()
        async throws
    {
        let words = ["bridge", "Bridge", "Most", "otev", "story"]
        try await Newsroom.open { newsroom in
            try Self.register("anna", at: newsroom.hub)
            try Self.register("ben", at: newsroom.hub)
            var configuration = newsroom.configuration
            configuration.news.text = try TextRules(
                [.kill: .all("Withdrawn: {headline}")],
                secure: .byLocale([("en", "You have a message"), ("cs", "Máte zprávu")]),
                locales: configuration.news.locales
            )
            configuration.secure = SecureSettings(key: Array("0123456789abcdef".utf8))
            configuration.hubs[0].forms = PayloadFormat.allCases
            var first = Self.event("71a0", users: ["anna"])
            first.delivery = .secure
            // The later events do not set `delivery: secure`.
            let events = [
                first, Self.event("71a1", revision: 2, kind: .correction, users: ["ben"]),
                Self.event("71a2", revision: 3, kind: .kill, users: []),
            ]
            let tokens = events.map { configuration.secure.tokens.token(for: $0) }
            try await newsroom.withWorker(configuration) { _ in
                for (index, event) in events.enumerated() {
                    try await newsroom.publish([event])
                    _ = try await newsroom.finalOutcomes(index + 1)
                }
            }
            #expect(newsroom.hub.pushes.count == 3 * PayloadFormat.allCases.count)
            for push in newsroom.hub.pushes {
                let headers = push.headers.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
                let bytes = String(decoding: push.body, as: UTF8.self) + headers + "\(push.expression as Any)"
                for word in words { #expect(!bytes.contains(word), "\(push.format): \(bytes)") }
                #expect(push.expression?.description == "username:anna")
            }
            #expect(
                shown(at: newsroom.hub)["phone-of-anna"]?.filter { $0.contains("delivery") }
                    == tokens.map { id in
                        #"{"aps":{"alert":"You have a message"},"id":"\#(id)","delivery":"secure","story":""}"#
                    }
            )
            #expect(shown(at: newsroom.hub)["phone-of-ben"] == nil)
            try await newsroom.readToTheEnd()
            #expect(newsroom.outcomes.map(\.outcome) == ["sent", "sent", "sent"])
            for entry in newsroom.log.events {
                for word in words.prefix(4) { #expect(!"\(entry.message) \(entry.metadata)".contains(word)) }
            }
            for message in newsroom.reader.messages {
                let outcome = String(decoding: message.value ?? [], as: UTF8.self)
                for word in words.prefix(4) { #expect(!outcome.contains(word)) }
                #expect(outcome.contains(#""delivery":"secure""#))
            }
        }
    }

    @Test func `a secure event without a notice is a dead letter, and the hub receives nothing`() async throws {
        try await Newsroom.open { newsroom in
            var event = Self.event("a", users: ["anna"], categories: ["world"])
            event.delivery = .secure
            try await newsroom.withWorker { _ in
                try await newsroom.publish([event, Self.event("b", revision: 2, users: ["anna"])])
                _ = try await newsroom.finalOutcomes(2)
            }
            try await newsroom.readToTheEnd()
            let reasons = newsroom.outcomes.compactMap(\.reason)
            #expect(Set(reasons).isSubset(of: ["invalid.no_secure_text", "superseded.revision"]))
            #expect(reasons.last == "invalid.no_secure_text")
            #expect(newsroom.hub.pushes.isEmpty)
            #expect(!newsroom.deadLetters.isEmpty)
        }
    }

    @Test func `each user gets an event once, and a kill after a restart reaches exactly these users`() async throws {
        let users = (1...45).map { "reader-\($0)" }
        try await Newsroom.open { newsroom in
            for user in users + ["eve"] { try Self.register(user, at: newsroom.hub) }
            try await newsroom.withWorker { _ in
                try await newsroom.publish([Self.event("news", users: users)])
                _ = try await newsroom.finalOutcomes(1)
            }
            try await newsroom.withWorker { _ in
                try await newsroom.publish([Self.event("kill", revision: 2, kind: .kill, users: ["eve"])])
                _ = try await newsroom.finalOutcomes(2)
            }
            let shown = shown(at: newsroom.hub)
            #expect(shown.count == 45)
            #expect(shown["phone-of-eve"] == nil)
            for user in users {
                let texts = shown["phone-of-" + user] ?? []
                #expect(texts.count == 2)
                #expect(texts.first?.contains("A bridge has opened (news)") == true)
                #expect(texts.last?.contains("Withdrawn: A bridge has opened (kill)") == true)
            }
            try await newsroom.readToTheEnd()
            #expect(newsroom.outcomes.map(\.targets.count) == [3, 3])
            let tags = newsroom.hub.pushes.map { $0.expression?.tags.count ?? 0 }
            #expect(tags.reduce(0, +) == 90 && tags.allSatisfy { $0 <= 20 })
        }
    }

    @Test func `only the failed request to users is tried again`() async throws {
        let users = (1...30).map { "reader-\($0)" }
        try await Newsroom.open { newsroom in
            try await newsroom.withWorker { _ in
                newsroom.hub.setFault(Fault(status: 503, remaining: 1))
                try await newsroom.publish([Self.event("news", users: users)])
                _ = try await newsroom.finalOutcomes(1)
            }
            try await newsroom.readToTheEnd()
            #expect(newsroom.outcomes.map(\.outcome) == ["sent"])
            #expect(newsroom.outcomes.first?.targets.map(\.status) == ["accepted", "accepted"])
            #expect(newsroom.hub.pushes.count == 2)
        }
    }
}
