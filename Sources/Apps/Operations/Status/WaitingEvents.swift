import NewsflashBasics
package import NewsflashEvents
import NewsflashKafka
package import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTimestamps
package import NewsflashTopicPartitions
package import NewsflashWorker

/// An event that waits in a ledger.
package struct WaitingEvent: Sendable {
    /// The partition of its source.
    package let partition: TopicPartition
    package let story: String
    /// `nil` if its record cannot be decoded with this configuration.
    package let event: NewsEvent?
    package let waiting: StoryFacts.Waiting
    /// Whether a person ended its wait, and no worker has sent it yet.
    package var isResumed = false

    /// Whether a person ended its wait, according to the control topic.
    fileprivate func isResumed(by pauses: SourcePauses) -> Bool {
        switch waiting.reason {
        case .pause, .volumeLimit:
            event.map { pauses.pause(on: $0, in: partition, at: waiting.offset) == nil } ?? false
        case .embargoDropped: pauses.isResumed(partition, waiting.offset)
        case .embargo, .retry, .hub, .turn, .approval, .quietHours: false
        }
    }

    /// The cause of the wait in a few words.
    private var cause: String {
        guard !isResumed else { return "a worker or its hub: it was resumed" }
        return switch waiting.reason {
        case .embargo: "embargo"
        case .retry: "another try after \(counted(waiting.attempts, "attempt"))"
        case .hub: waiting.hubs.isEmpty ? "a hub" : "hub \(waiting.hubs.joined(separator: ", "))"
        case .turn: "an earlier event of its story"
        case .approval: "approvals"
        case .quietHours: "quiet hours"
        case .pause: "paused source \(source)"
        case .embargoDropped: "dropped embargo"
        case .volumeLimit: "volume limit of \(source)"
        }
    }

    /// The end of the wait, or the time when the event expires; `nil` without one. A waiting kill does not expire: its time
    /// in the ledger is a century later.
    private var until: Timestamp? {
        waiting.until.flatMap { $0 - waiting.consumedAt < .seconds(10 * 365 * 86_400) ? $0 : nil }
    }

    private var source: String { waiting.source.isEmpty ? partition.topic : waiting.source }

    fileprivate var cells: [TextTable.Cell] {
        let since = "since \(waiting.consumedAt.rfc3339), \(partition) offset \(waiting.offset)"
        return [
            TextTable.Cell(until?.rfc3339 ?? "-"), TextTable.Cell(event?.kind.rawValue ?? "?"),
            TextTable.Cell(story), TextTable.Cell(event?.id ?? "?"), TextTable.Cell("\(cause), \(since)"),
        ]
    }

    /// The event as a JSON object.
    package var json: [UInt8] {
        JSONWriter.object { writer in
            writer.member("story", story)
            writer.member("event", event?.id)
            writer.member("kind", event?.kind.rawValue)
            writer.member("revision", event?.revision)
            writer.member("source", source)
            writer.member("reason", waiting.reason.rawValue)
            writer.member("resumed", isResumed)
            writer.member("until", until?.rfc3339)
            writer.member("since", waiting.consumedAt.rfc3339)
            writer.member("hubs", waiting.hubs)
            writer.member("attempts", Int64(waiting.attempts))
            writer.member("topic", partition.topic)
            writer.member("partition", Int64(partition.partition))
            writer.member("offset", waiting.offset)
        }
    }
}

/// The events that wait in the ledgers of a group, according to Kafka alone.
package struct WaitingEvents: Sendable {
    /// Events with a time first, in the order of that time; then the others, the oldest first.
    package private(set) var events: [WaitingEvent]
    /// The number of stories whose latest record cannot be decoded. They are missing in ``events``.
    package private(set) var unreadable: Int

    /// The bytes in each record of a story with waiting events. In a text they would be escaped.
    private static let mark = Array(#""waiting":["#.utf8)

    /// The latest record of one story.
    private enum Latest {
        case events([WaitingEvent])
        case unreadable
    }

    /// The key of a story in a ledger.
    private struct Place: Hashable {
        var partition: TopicPartition
        var key: [UInt8]
    }

    private init(_ latest: [Place: Latest]) {
        var events: [WaitingEvent] = []
        var unreadable = 0
        for record in latest.values {
            switch record {
            case .events(let found): events += found
            case .unreadable: unreadable += 1
            }
        }
        self.init(listing: events, unreadable: unreadable)
    }

    init(listing events: [WaitingEvent], unreadable: Int = 0) {
        self.unreadable = unreadable
        func order(_ event: WaitingEvent) -> (Int, Timestamp, Timestamp, TopicPartition, Int64) {
            let waiting = event.waiting
            let until = waiting.until ?? waiting.consumedAt
            return (waiting.until == nil ? 1 : 0, until, waiting.consumedAt, event.partition, waiting.offset)
        }
        self.events = events.sorted { order($0) < order($1) }
    }

    /// Reads the ledgers and the control topic to their present ends. Nothing is written, and no worker is asked.
    ///
    /// - Parameter settings: The cluster and the sources.
    /// - Returns: The waiting events of all sources. If the control topic cannot be read, none of them counts as resumed.
    /// - Throws: ``OperationError`` if a ledger is missing or cannot be read, or if the configuration has none.
    package static func read(_ settings: TopicSettings) async throws(OperationError) -> WaitingEvents {
        guard settings.ledger == .required else {
            throw OperationError(
                .badConfiguration,
                "ledger.use is off, so what waits is only in the workers' memory: 'newsflash status' shows their numbers"
            )
        }
        let latest = Locked<[Place: Latest]>([:])
        for source in settings.sources {
            _ = try await TopicScan(settings.kafka, topics: [source.ledger], from: .earliest, to: .present).run {
                messages in
                let records = messages.compactMap { message in
                    message.key.map { (Place(partition: message.topicPartition, key: $0), record(message, of: source)) }
                }
                latest.withLock { latest in
                    for (place, record) in records { latest[place] = record }
                }
                return true
            }
        }
        var found = WaitingEvents(latest.withLock { $0 })
        if let pauses = try? await ControlTopic(settings).pauses() { found.mark(by: pauses) }
        return found
    }

    /// The waiting events in a record of a ledger; `nil` if it has none or is a tombstone.
    private static func record(_ message: KafkaMessage, of source: SourceSettings) -> Latest? {
        guard let value = message.value, value.contains(mark) else { return nil }
        guard let (key, facts) = try? LedgerRecordCodec.decode(value.span) else { return .unreadable }
        // Partition p of a ledger has the stories of partition p of the source.
        let partition = TopicPartition(topic: source.topic, partition: message.topicPartition.partition)
        let decoder = source.decoder
        return .events(
            facts.waiting.map { waiting in
                let headers = waiting.headers.map { EventHeader(name: $0.name, value: $0.value) }
                let content = decoder.decode(bytes: waiting.value, headers: headers, writtenAt: waiting.timestamp)
                var event: NewsEvent?
                if case .event(let decoded, warnings: _) = content { event = decoded }
                return WaitingEvent(partition: partition, story: key, event: event, waiting: waiting)
            }
        )
    }

    /// Marks the events whose wait a person has ended.
    mutating func mark(by pauses: SourcePauses) {
        for index in events.indices { events[index].isResumed = events[index].isResumed(by: pauses) }
    }

    /// The text without waiting events. Records that a worker has read, or will read, are not in the ledgers.
    private static let none =
        "nothing waits in the ledgers; 'newsflash status --group' counts the records that are not processed"

    /// The events for people: the number for each cause and what ends the wait, then one row for each event.
    ///
    /// - Parameter style: The screen.
    /// - Returns: The lines.
    package func lines(_ style: ScreenStyle) -> [String] {
        guard !events.isEmpty else { return [Self.none] }
        var causes = TextTable([.init(isNumber: true), .init("", .wrapped)], indent: 2)
        for reason in StoryFacts.WaitReason.allCases {
            let count = events.count { $0.waiting.reason == reason && !$0.isResumed }
            if count > 0 { causes.append([TextTable.Cell("\(count)"), TextTable.Cell(reason.words)]) }
        }
        let resumed = events.count(where: \.isResumed)
        if resumed > 0 {
            let words = "for a worker or a hub, because a person ended the wait: see 'newsflash status'"
            causes.append([TextTable.Cell("\(resumed)"), TextTable.Cell(words)])
        }
        var table = TextTable([
            .init("UNTIL"), .init("KIND"), .init("STORY", .shortened(to: 12)), .init("EVENT", .shortened(to: 8)),
            .init("WAITS FOR", .wrapped),
        ])
        for event in events { table.append(event.cells) }
        return ["\(counted(events.count, "event")) \(events.count == 1 ? "waits" : "wait") in the ledgers"]
            + causes.lines(style) + [""] + table.lines(style)
    }
}
