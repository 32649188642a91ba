import NewsflashEvents
import NewsflashStrictJSON
import NewsflashTestSupport

/// The sample events, each with its decision.
enum EventSamples {
    static func events() throws -> [(event: NewsEvent, expected: JSONValue)] {
        let decoder = EventDecoder(defaultSource: "urn:desk")
        let events = try TestData.lines(of: "events.ndjson")
        let expected = try TestData.lines(of: "events.expected.ndjson")
        return try zip(events, expected).compactMap { line, expected in
            guard case .event(let event, _) = decoder.decode(bytes: line) else { return nil }
            return (event, try JSONReader.read(expected))
        }
    }
}
