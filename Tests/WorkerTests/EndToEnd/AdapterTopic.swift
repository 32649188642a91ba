import FoundationEssentials
import NewsflashEvents
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashStrictJSON
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@testable import NewsflashWorker

/// Files of `Tests/Data/adapters` that are published in one topic, in order.
struct AdapterTopic {
    var name: String
    var format: SourceFormat
    var files: [String]

    /// The expected events come first, as events themselves.
    static let all =
        [
            AdapterTopic(name: "expected", format: .event, files: ["expected-update.json", "expected-kill.json"]),
            AdapterTopic(name: "ninjs 1.6", format: .ninjs, files: ["ninjs-1.6-update.json", "ninjs-1.6-kill.json"]),
            AdapterTopic(name: "ninjs 2.2", format: .ninjs, files: ["ninjs-2.2-update.json", "ninjs-2.2-kill.json"]),
            AdapterTopic(name: "ninjs 3.1", format: .ninjs, files: ["ninjs-3.1-update.json", "ninjs-3.1-kill.json"]),
            AdapterTopic(
                name: "superdesk",
                format: .superdesk,
                files: ["superdesk-ninjs-update.json", "superdesk-ninjs-kill.json"]
            ),
            AdapterTopic(name: "ap", format: .ap, files: ["ap-media-update.json"]),
            AdapterTopic(name: "CloudEvents, binary, ninjs", format: .ninjs, files: ["cloudevents-binary-ninjs.json"]),
        ]
        + [
            "cloudevents-structured.json", "cloudevents-structured-base64.json", "cloudevents-binary.json",
            "cloudevents-binary-slim.json", "confluent-json-id1042.bin", "confluent-header-guid.json",
        ].map { AdapterTopic(name: $0, format: .event, files: [$0]) }

    /// Files whose format adds an unmapped category.
    static let withMore: Set = ["superdesk-ninjs-update.json", "ap-media-update.json"]

    /// Files whose format cannot contain all of the event, or has other identifiers, according to the list.
    static let different = withMore.union(["cloudevents-binary-ninjs.json"])

    /// The names of the files in the folder.
    static func filesOfTheFolder() throws -> [String] {
        try TestData.names(in: "adapters")
    }

    /// Makes the topics of a source that has these files.
    func source(in newsroom: Newsroom) async throws -> SourceSettings {
        SourceSettings(
            name: name,
            topic: try await newsroom.cluster.makeTopic(),
            ledger: try await newsroom.cluster.makeTopic(isCompacted: true),
            id: "https://wire.example.net/feed",
            format: format
        )
    }

    /// The records of the files of one kind.
    func records(_ kind: EventKind, for topic: String) throws -> [KafkaRecord] {
        try files.filter { ($0.hasSuffix("-kill.json") ? .kill : .update) == kind }.map { file in
            let bytes = try TestData.bytes(of: "adapters/\(file)")
            guard let vector = try? JSONReader.read(bytes), let kafka = vector[member: "kafka"] else {
                return KafkaRecord(topic: topic, partition: 0, key: Array("dam-7".utf8), value: bytes.expiringLate)
            }
            var writer = JSONWriter()
            writer.value(try #require(vector[member: "value"]).expiringLate)
            let headers = try #require(kafka[member: "headers"]?.object).map { header in
                let text = try #require(header.value.string)
                let bytes = text.hasPrefix("hex:") ? [UInt8](hexadecimal: text.dropFirst(4)) : Array(text.utf8)
                return KafkaHeader(name: header.name, value: bytes.expiringLate)
            }
            let key = try #require(kafka[member: "key"]?.string)
            return KafkaRecord(
                topic: topic,
                partition: 0,
                key: Array(key.utf8),
                value: writer.finish().expiringLate,
                headers: headers
            )
        }
    }
}

/// The events that the list of the adapters expects.
struct ExpectedEvents {
    private let update: NewsEvent
    private let kill: NewsEvent

    init() throws {
        func event(_ file: String) throws -> NewsEvent {
            let outcome = EventDecoder(defaultSource: "").decode(
                bytes: try TestData.bytes(of: "adapters/\(file)")
            )
            guard case .event(let event, warnings: []) = outcome else { return try #require(nil, "\(outcome)") }
            return event
        }
        update = try event("expected-update.json")
        kill = try event("expected-kill.json")
    }

    /// The event of a file without a difference.
    func whole(_ kind: EventKind) -> NewsEvent { kind == .kill ? kill : update }

    /// The event of a file, with its id, story, revision and kind.
    func event(of file: String) -> NewsEvent {
        var event = file.hasSuffix("-kill.json") ? kill : update
        if file.hasPrefix("ap-") {
            event.id = "0f3c5e1d#2"
            event.story = "0f3c5e1d"
        } else if file == "cloudevents-binary-ninjs.json" {
            event.id = "e-77"
        }
        if file.hasPrefix("superdesk-") {
            // The revision of a Superdesk item is its time, a whole second, plus the version.
            event.revision += event.published.milliseconds
            event.id = "\(event.story)#\(event.revision)"
        }
        let isFeed = ["ninjs-", "superdesk-", "ap-"].contains(where: file.hasPrefix) || event.id == "e-77"
        // The status is part of the id, and the first news of a story has the kind of its urgency.
        if isFeed, event.kind == .kill { event.id += "!canceled" }
        if isFeed, event.kind == .update { event.kind = .alert }
        return event
    }
}

// The files let the story expire on a day in the past. The tests move its end to the day after tomorrow.

private let end = Array("2026-03-02T18:00:00Z".utf8)
private let lateEnd = Array("\((Timestamp.now() + .seconds(2 * 86_400)).rfc3339.prefix(10))T18:00:00Z".utf8)

extension [UInt8] {
    fileprivate var expiringLate: [UInt8] { replacing(end, with: lateEnd) }

    fileprivate init(hexadecimal text: Substring) {
        self = stride(from: 0, to: text.utf8.count - 1, by: 2).compactMap {
            UInt8(text.dropFirst($0).prefix(2), radix: 16)
        }
    }
}

extension JSONValue {
    /// The same for an event in base 64; other values do not change.
    fileprivate var expiringLate: JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(
            members.map { member in
                guard member.name == "data_base64", let text = member.value.string,
                    let data = Data(base64Encoded: text)
                else { return member }
                let late = Data(Array(data).expiringLate).base64EncodedString()
                return JSONMember(name: member.name, value: .string(late))
            }
        )
    }
}
