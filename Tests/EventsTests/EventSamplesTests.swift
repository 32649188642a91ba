import NewsflashEvents
import NewsflashStrictJSON
import NewsflashTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct EventSamplesTests {
    private let decoder = EventDecoder(defaultSource: "urn:desk")

    @Test func `every sample event is decoded, and is unchanged after encoding and decoding`() throws {
        let lines = try TestData.lines(of: "events.ndjson")
        #expect(lines.count > 40)
        for (index, line) in lines.enumerated() {
            guard case .event(let event, let warnings) = decoder.decode(bytes: line) else {
                Issue.record("line \(index + 1): \(decoder.decode(bytes: line))")
                continue
            }
            // One of them contains entities.
            #expect(warnings.isEmpty || event.id == "j-0004" && warnings == [.entities])
            #expect(decoder.decode(bytes: EventEncoder.encode(event)) == .event(event, warnings: warnings))
            let document = try JSONReader.read(line)
            #expect(event.id == document[member: "id"]?.string)
            #expect(event.text.map(\.language) == document[member: "text"]?.object?.map(\.name) ?? [])
        }
    }

    private static let decisions: [(file: String, reason: InvalidReason?)] = [
        ("01-empty.bin", .empty), ("02-truncated.json", .json), ("03-plain-text.txt", .json), ("04-nitf.xml", .json),
        ("06-invalid-utf8.json", .utf8), ("07-utf16.json", .utf8), ("08-utf8-bom.json", nil),
        ("10-duplicate-member.json", .duplicateMember), ("11-two-objects.json", .json),
        ("14-string-revision.json", .schema), ("15-no-id.json", .schema), ("16-no-story.json", .schema),
        ("18-no-offset.json", .schema), ("19-february-30.json", .schema), ("20-json5.json", .json),
        ("21-text-string.json", .schema), ("23-no-categories.json", .schema), ("25-too-big.json", .tooLarge),
        ("26-ce-structured-both-data.json", .cloudEvent), ("29-ninjs-cancelled.json", .status),
    ]

    @Test func `every malformed input gets the decision of the list`() throws {
        let files = try MalformedFile.all()
        #expect(files.map(\.name) == Self.decisions.map(\.file))
        for (input, (file, expected)) in zip(files, Self.decisions) {
            let headers = input.mediaType.map { [EventHeader(name: "content-type", value: Array($0.utf8))] } ?? []
            let outcome = decoder.decode(bytes: input.bytes, headers: headers)
            #expect(reason(of: outcome) == expected, "\(file)")
            #expect(rejection(of: outcome)?.isBoundedAndPrintable ?? true, "\(file)")
            if case .event(_, let warnings) = outcome { #expect(warnings == [.byteOrderMark], "\(file)") }
        }
    }
}
