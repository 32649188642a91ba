import CommandLineArguments
import Kafka
import NewsEvents
import NotificationHubs
import StrictJSON
import Timestamps
import Worker

/// `newsflash rehearse`
struct RehearseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rehearse",
        abstract: "Try a configuration on yesterday's events, or on a test of your own. Nothing is sent.",
        discussion: """
            All rules decide as in the worker, including embargoes, quiet hours, caps and approvals. The records set the
            clock, so that a day takes a second. Hubs accept every request at once, except with --fail. No Kafka, hub or
            secret is needed. Each source has its own ledger, as in the worker.

            A file has one record a line: its value, or an object with the whole record, {"appendAt": time, "source": name,
            "headers": {name: text}, "key": text, "value": object or text}, as 'newsflash topics read' prints it. A text
            such as hex:00ff means bytes. A record without "source" belongs to the first source that can decode it. A file
            that is one JSON text is one record. With --raw each file is one record, byte for byte. '-' is the standard
            input.

            A line {"appendAt": time, "control": {"act": "hold", "source": uri, "reason": text}} is not a record but an
            order, as 'newsflash pause' and 'resume' write it; without a source it is for all.

            The time of a record is its 'appendAt', otherwise that of its line in --expect, otherwise the publication time
            of the event, but never earlier than the record before it.

            Prints one JSON object for each record, a line each:
            - line, id, outcome, reason, final; then and thenAt for a later outcome; warn
            - what subscribers get: categoryTags, interruption, textFrom, truncated, rendered (the headline with the words
              of its kind, in each language), hub, template, audienceFrom
            - requests: each sent request with its hub, its number at that hub, time, answer, tags and template, and with
              'times' and 'lastAt' if it was repeated with the same answer
            - circuits: those that opened or closed before the next record
            - 'file' and 'source' if there are several

            --expect compares the output with a file of objects of the same form. 'line' is the line of the record, counted
            through all files. Only the given members are compared, also in nested objects. Lists of objects, such as
            requests, may have any order. 'scene', 'check' and 'appendAt' are not compared. Each difference is a line; the
            last line has the numbers of passed and failed expectations.

            --fail changes the response to requests to a hub: an HTTP status such as 400, 401, 429, 500 or 503; 'cut' (the
            connection ends) or 'silence' (no response in time). After the last two the hub may have accepted the request.
            Write the hub's name in the configuration. If several faults apply, the first one counts.

              --fail main=503            every request to main
              --fail main=503@2          the second request to main; retries and probes of an open circuit count, as they
                                         do for 'number' in the output
              --fail main=503@2..5       the second to the fifth; main=503@2.. all from the second
              --fail main=503@line:2..5  requests that are sent after line 2 and before line 6; the last line lasts to the
                                         end

            Exit codes: 0 fine, 1 not as expected, 65 a file cannot be read, 78 bad configuration.

            Examples:
              newsflash rehearse --config newsflash.yaml yesterday.ndjson
              newsflash rehearse --config newsflash.yaml --expect scenes.expected.ndjson --quiet scenes.ndjson
              newsflash rehearse --restart-every 1 --expect scenes.expected.ndjson scenes.ndjson
              newsflash rehearse --fail main=503@1..3 event.json
              newsflash rehearse --fail main=cut@line:1..2 --fail main=429@9 yesterday.ndjson
              newsflash rehearse --requests event.json | jq '.requests[].body'
              newsflash rehearse --raw --header 'content-type: application/json' broken.bin
            """
    )

    @OptionGroup var options: ConfigurationOptions

    @Option(help: ArgumentHelp("The file with the expected results, an object a line.", valueName: "file"))
    var expect: String?

    @Option(
        help: ArgumentHelp(
            "Restart the worker after this number of records each time, so that it reads its ledger again.",
            valueName: "number"
        )
    )
    var restartEvery: Int = 0

    @Option(
        help: ArgumentHelp("Let requests to a hub fail, such as main=503@2..5.", valueName: "hub=answer")
    )
    var fail: [String] = []

    @OptionGroup var sourceOption: SourceOption

    @Flag(help: "Print the requests byte for byte.")
    var requests = false

    @Flag(help: "Read each file as one record, whatever its bytes.")
    var raw = false

    @Option(help: "The key of the records, with --raw; without it, they have none.")
    var key: String?

    @Option(help: ArgumentHelp("A header of each record, with --raw.", valueName: "name: value"))
    var header: [String] = []

    @Flag(help: "Print only differences and the summary.")
    var quiet = false

    @Argument(help: ArgumentHelp("Files with records.", valueName: "events"))
    var files: [String] = ["-"]

    func validate() throws {
        if restartEvery < 0 { throw ValidationError("'--restart-every' takes a number of at least 0; 0 means never.") }
        if key != nil || !header.isEmpty, !raw {
            throw ValidationError("'--key' and '--header' go with '--raw'; other records have their own.")
        }
        _ = try headers()
        _ = try hubFaults()
        if quiet, expect == nil { throw ValidationError("'--quiet' needs '--expect': it would print nothing.") }
    }

    func run() async throws {
        let whole = try options.read().configuration
        let configuration = try sourceOption.narrow(whole, of: options.file)
        let hubFaults = try hubFaults()
        try HubFaultArgument.check(hubFaults, against: whole, of: options.file)
        var records = try RehearsalFiles.read(files, isRaw: raw)
        try records.checkSources(of: whole)
        var expectations: [Expectation] = []
        if let expect { expectations = try Expectation.read(expect) }
        let headers = try headers()
        for index in records.indices where raw {
            records[index].record.key = key.map { Array($0.utf8) }
            records[index].record.headers = headers
        }
        records.setTimes(from: expectations)
        let report = try RehearsalReport(
            of: records,
            configuration,
            restartEvery: restartEvery,
            hubFaults: hubFaults,
            clients: requests ? try clients(for: configuration) : nil,
            expectations: expectations,
            now: .now()
        )
        if !quiet { for line in report.lines { StandardOutput.write(line) } }
        for difference in report.differences { StandardOutput.write(difference) }
        for fault in report.faults { StandardOutput.write("fault: \(fault)") }
        if expect != nil { StandardOutput.write("\(report.passed) passed, \(report.failed) failed") }
        if report.failed > 0 || !report.faults.isEmpty { throw ExitCode.failure }
    }

    private func headers() throws(ValidationError) -> [EventHeader] {
        var headers: [EventHeader] = []
        for (index, argument) in header.enumerated() {
            guard let header = KafkaHeader(argument: argument) else {
                throw ValidationError("'--header' number \(index + 1) has no name: write --header 'name: value'.")
            }
            headers.append(EventHeader(name: header.name, value: header.value))
        }
        return headers
    }

    private func hubFaults() throws(ValidationError) -> [HubFault] {
        var faults: [HubFault] = []
        for text in fail { faults.append(try HubFaultArgument.read(text)) }
        return faults
    }

    private func clients(for configuration: WorkerConfiguration) throws(CommandError) -> [String: HubClient] {
        let (clients, notes) = try RenderedRequest.clients(for: configuration.hubs)
        for note in notes { StandardError.write("note: \(note)") }
        return clients
    }
}

/// Parses the values of `--fail`, such as `main=503@2..5`.
enum HubFaultArgument {
    private static let forms = "write HUB=ANSWER, HUB=ANSWER@FROM..TO or HUB=ANSWER@line:FROM..TO"

    /// Parses a value.
    ///
    /// - Parameter text: The hub's name in the configuration, the response, and the range of requests or lines; without a
    ///   range, all requests get the response.
    /// - Returns: The fault.
    /// - Throws: `ValidationError` with the problem and the correct forms.
    static func read(_ text: String) throws(ValidationError) -> HubFault {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
            throw ValidationError("'--fail \(text)' is not HUB=ANSWER: \(forms).")
        }
        let parts = text[text.index(after: equals)...].split(
            separator: "@",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard let answer = answer(parts[0]) else {
            throw ValidationError(
                "'--fail \(text)': the answer '\(parts[0])' must be an HTTP status from 200 to 599, 'cut' or 'silence'."
            )
        }
        var fault = HubFault(hub: String(text[..<equals]), answer: answer)
        guard parts.count == 2 else { return fault }
        let isOfLines = parts[1].hasPrefix("line:")
        guard let range = range(isOfLines ? parts[1].dropFirst(5) : parts[1]) else {
            throw ValidationError(
                "'--fail \(text)': '\(parts[1])' must be one number from 1, such as 2, or a range such as 2..5 or 2..; "
                    + "put 'line:' before it to count lines."
            )
        }
        fault.span = isOfLines ? .lines(range) : .requests(range)
        return fault
    }

    /// Checks that the hubs of faults exist.
    ///
    /// - Parameters:
    ///   - faults: The faults of `--fail`.
    ///   - configuration: The configuration with the hubs.
    ///   - file: The configuration's name in messages.
    /// - Throws: ``CommandError`` with exit code 78 and the configured hubs.
    static func check(
        _ faults: [HubFault],
        against configuration: WorkerConfiguration,
        of file: String
    ) throws(CommandError) {
        let labels = configuration.hubs.map(\.label)
        for fault in faults where !labels.contains(fault.hub) {
            let names = labels.map { "'\($0)'" }.joined(separator: ", ")
            throw CommandError(
                .badConfiguration,
                "\(file): --fail names the unknown hub '\(fault.hub)'; write one of \(names)"
            )
        }
    }

    private static func answer(_ text: Substring) -> RehearsedAnswer? {
        switch text {
        case "cut": .cut
        case "silence": .silence
        default: number(text).flatMap { (200...599).contains($0) ? .status($0) : nil }
        }
    }

    private static func range(_ text: Substring) -> ClosedRange<Int>? {
        guard let dots = text.firstRange(of: "..") else { return number(text).map { $0...$0 } }
        guard let first = number(text[..<dots.lowerBound]) else { return nil }
        if dots.upperBound == text.endIndex { return first...Int.max }
        guard let last = number(text[dots.upperBound...]), last >= first else { return nil }
        return first...last
    }

    private static func number(_ text: Substring) -> Int? {
        Int(digits: text).flatMap { $0 > 0 ? $0 : nil }
    }
}
