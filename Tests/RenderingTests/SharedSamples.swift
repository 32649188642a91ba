import FoundationEssentials
import NewsEvents
import StrictJSON
import Timestamps

/// Events kept outside the package, in the folder that `NEWSFLASH_SHARED` names or in `shared` beside the checkout.
enum SharedSamples {
    /// Where the events lie; `nil` where they were not brought along.
    static let folder: String? = {
        let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
        let named = ProcessInfo.processInfo.environment["NEWSFLASH_SHARED"]
        let folder = (named ?? root + "/../shared") + "/data"
        return FileManager.default.fileExists(atPath: folder + "/events.ndjson") ? folder : nil
    }()

    /// The lines of `events.ndjson` with those of `events.expected.ndjson`.
    static func events() throws -> [(event: NewsEvent, expected: JSONValue)] {
        let events = try lines(of: "events.ndjson")
        let expected = try lines(of: "events.expected.ndjson")
        return zip(events, expected).compactMap { event, expected in read(event).map { ($0, expected) } }
    }

    private static func lines(of name: String) throws -> [JSONValue] {
        let data = FileManager.default.contents(atPath: (folder ?? "") + "/" + name) ?? Data()
        return try data.split(separator: UInt8(ascii: "\n")).map { try JSONReader.read([UInt8]($0)) }
    }

    private static func read(_ value: JSONValue) -> NewsEvent? {
        guard let id = value[member: "id"]?.string, let kind = value[member: "kind"]?.string.flatMap(EventKind.init)
        else {
            return nil
        }
        return NewsEvent(
            id: id,
            source: "",
            story: value[member: "story"]?.string ?? "",
            revision: value[member: "revision"]?.int64 ?? 1,
            kind: kind,
            published: Timestamp(nanoseconds: 0),
            language: value[member: "language"]?.string,
            text: (value[member: "text"]?.object ?? []).map { member in
                EventText(
                    language: member.name,
                    headline: member.value[member: "headline"]?.string ?? "",
                    summary: member.value[member: "summary"]?.string
                )
            }
        )
    }
}
