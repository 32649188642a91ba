import NewsflashCommandLineArguments
import NewsflashStrictJSON
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// Hubs that do not accept every request in `newsflash rehearse`.
@Suite(.timeLimit(.minutes(1)))
struct HubFaultTests {
    // MARK: - The option

    @Test(arguments: [
        ("main=503", HubFault(hub: "main", answer: .status(503), span: .requests(1...Int.max))),
        ("main=cut@2", HubFault(hub: "main", answer: .cut, span: .requests(2...2))),
        ("main=silence@2..5", HubFault(hub: "main", answer: .silence, span: .requests(2...5))),
        ("main=429@2..", HubFault(hub: "main", answer: .status(429), span: .requests(2...Int.max))),
        ("eu-1=400@line:3", HubFault(hub: "eu-1", answer: .status(400), span: .lines(3...3))),
        ("eu-1=400@line:3..4", HubFault(hub: "eu-1", answer: .status(400), span: .lines(3...4))),
        ("eu-1=400@line:3..", HubFault(hub: "eu-1", answer: .status(400), span: .lines(3...Int.max))),
    ])
    func `a fault names the hub, the answer and the affected requests`(text: String, fault: HubFault) throws {
        #expect(try HubFaultArgument.read(text) == fault)
    }

    @Test(arguments: [
        ("main", "'--fail main' is not HUB=ANSWER: write HUB=ANSWER,"), ("=503", "'--fail =503' is not HUB=ANSWER:"),
        ("main=", "'--fail main=': the answer '' must be"),
        ("main=199", "the answer '199' must be an HTTP status from 200"),
        ("main=600", "the answer '600' must be"), ("main=+503", "the answer '+503' must be"),
        ("main=lost", "the answer 'lost' must be an HTTP status from 200 to 599, 'cut' or 'silence'"),
        ("main=503@", "'' must be one number from 1, such as 2, or a range such as 2..5 or 2..; put 'line:' before"),
        ("main=503@0", "'0' must be one number"), ("main=503@5..2", "'5..2' must be one number"),
        ("main=503@..2", "'..2' must be one number"), ("main=503@2-5", "'2-5' must be one number"),
        ("main=503@line:", "'line:' must be one number"), ("main=503@line:0..2", "'line:0..2' must be one number"),
        ("main=503@99999999999999999999", "'99999999999999999999' must be one number"),
    ])
    func `a wrong fault is refused with the error and a correct example`(text: String, message: String) {
        let error = #expect(throws: ValidationError.self) { try HubFaultArgument.read(text) }
        #expect(error.map { "\($0)".contains(message) } == true, "\(String(describing: error))")
        // The command refuses it before it reads any file.
        #expect(throws: (any Error).self) { try Newsflash.parseAsRoot(["rehearse", "--fail", text, "missing.ndjson"]) }
    }

    @Test func `the option can be repeated`() throws {
        let words = ["rehearse", "--fail", "a=503@2", "--fail", "b=cut", "events.ndjson"]
        let command = try #require(try Newsflash.parseAsRoot(words) as? RehearseCommand)
        #expect(command.fail == ["a=503@2", "b=cut"])
        #expect(command.files == ["events.ndjson"])
    }

    @Test func `an unknown hub is an error that lists the hubs`() throws {
        let configuration = try Scene.read("Tests/CommandsTests/Rehearse/Scenes/two-hubs.yaml")
        let faults = [HubFault(hub: "b", answer: .cut), HubFault(hub: "newsroom-a", answer: .cut)]
        let error = #expect(throws: OperationError.self) {
            try HubFaultArgument.check(faults, against: configuration, of: "news.yaml")
        }
        #expect(error?.kind == .badConfiguration)
        #expect(error?.description == "news.yaml: --fail names the unknown hub 'newsroom-a'; write one of 'a', 'b'")
        #expect(throws: Never.self) { try HubFaultArgument.check([faults[0]], against: configuration, of: "news.yaml") }
    }

    // MARK: - Effects

    private static let correction = SampleNewsroom.correction.replacing("08:00:30Z", with: "08:10:00Z")

    private func lines(_ faults: String..., of texts: [String]) throws -> [JSONValue] {
        let configuration = try SampleNewsroom.configuration().configuration
        let records = texts.enumerated().map { index, text in
            let record = RehearsalRecord(value: Array(text.utf8))
            return PlacedRecord(line: index + 1, file: "x", place: "x:\(index + 1)", record: record)
        }
        let report = try RehearsalReport(
            of: records,
            configuration,
            hubFaults: try faults.map { try HubFaultArgument.read($0) },
            now: SampleNewsroom.now
        )
        #expect(report.faults == [])
        return try report.lines.map { try JSONReader.read($0) }
    }

    /// Returns each request of a line as text, for example `1 503 08:00:00`.
    private func requests(_ line: JSONValue?) -> [String] {
        (line?[member: "requests"]?.array ?? []).map { request in
            let number = request[member: "number"]?.int64 ?? 0
            let times = request[member: "times"]?.int64.map { " x\($0)" } ?? ""
            let time = request[member: "at"]?.string.map { $0.dropFirst(11).prefix(8) } ?? ""
            return "\(number) \(request[member: "answer"]?.string ?? "")\(times) \(time)"
        }
    }

    @Test func `a failed request is sent again, and both are shown`() throws {
        let line = try lines("main=503@1..2", of: [SampleNewsroom.flash]).first
        #expect(line?[member: "outcome"] == .string("sent"))
        #expect(requests(line) == ["1 503 x2 08:00:00", "3 201 08:00:00"])
        #expect(line?[member: "circuits"] == nil)
    }

    @Test func `a request without an answer is in flight until the transport gives up`() throws {
        let line = try lines("main=silence@1", of: [SampleNewsroom.flash]).first
        #expect(requests(line) == ["1 silence 08:00:00", "2 201 08:00:15"])
    }

    @Test func `a hub that refuses gets no second request, and a correction is not sent to its audience`() throws {
        let lines = try lines("main=400@1", of: [SampleNewsroom.flash, Self.correction])
        #expect(lines.first?[member: "reason"] == .string("failed.refused"))
        #expect(lines.first?[member: "categoryTags"] == nil)
        #expect(requests(lines.first) == ["1 400 08:00:00"])
        // Nobody was notified, so it is an alert for its own categories.
        #expect(lines.last?[member: "template"] == .string("alert"))
        #expect(lines.last?[member: "categoryTags"] == .array([.string("Sports")]))
        #expect(lines.last?[member: "audienceFrom"] == nil)
    }

    @Test func `an outage between two lines opens the circuit, which closes again after the next line`() throws {
        let lines = try lines("main=500@line:1", of: [SampleNewsroom.flash, Self.correction])
        let circuits = lines.map { line in
            (line[member: "circuits"]?.array ?? []).map { circuit in
                "\(circuit[member: "hub"]?.string ?? "") \(circuit[member: "circuit"]?.string ?? "") "
                    + (circuit[member: "reason"]?.string ?? "-")
            }
        }
        #expect(circuits == [["main open hub_unavailable"], ["main closed -"]])
        #expect(requests(lines.last).map { $0.hasSuffix("201 08:10:01") || $0.hasSuffix("201 08:10:00") } == [true])
    }

    @Test func `the first matching fault counts, and 2xx means accepted`() throws {
        let line = try lines("main=200@1", "main=503@1..", of: [SampleNewsroom.flash]).first
        #expect(requests(line) == ["1 200 08:00:00"])
        #expect(line?[member: "outcome"] == .string("sent"))
    }

    @Test func `an event expires if its hub does not come back`() throws {
        let line = try lines("main=cut", of: [SampleNewsroom.flash]).first
        #expect(line?[member: "outcome"] != .string("sent"))
        #expect(line?[member: "final"] == .bool(true))
        #expect(line?[member: "categoryTags"] == nil)
        #expect(requests(line) == ["1 cut x3 08:00:00"])
    }
}
