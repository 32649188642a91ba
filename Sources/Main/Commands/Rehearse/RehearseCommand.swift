import NewsflashCommandLineArguments
import NewsflashKafka
import NewsflashOperations
import NewsflashTimestamps
import NewsflashWorker

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
            "headers": {name: text}, "key": text, "value": object or text}, as 'newsflash capture' writes it. A text
            such as hex:00ff means bytes. A record without "source" belongs to the first source that can decode it. A file
            that is one JSON text is one record. With --raw each file is one record, byte for byte. '-' is the standard
            input.

            A line {"appendAt": time, "control": {"act": "pause", "source": uri, "reason": text}} is not a record but an
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

            --expect compares the output with a file of objects of the same form, such as an earlier output. 'line' is the line
            of the record, counted through all files. Only the given members are compared, also in nested objects. Lists of
            objects, such as requests, may have any order. 'scene', 'check' and 'appendAt' are not compared. Each difference is
            a line; the last line has the numbers of passed and failed expectations.

            A folder has scenes: NAME.ndjson with the records of a scene, NAME.expected.ndjson with the expectations, and
            NAME.yaml if the scene has a configuration of its own. Each scene is a line, with its differences below it; the
            last line has the numbers of scenes. The other options apply to all scenes.

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
              newsflash rehearse --stop-every 1 --expect scenes.expected.ndjson scenes.ndjson
              newsflash rehearse --config newsflash.yaml scenes/
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
            "Restart the worker after this number of records each time, as after a crash: it reads its ledger again.",
            valueName: "number"
        )
    )
    var restartEvery: Int = 0

    @Option(
        help: ArgumentHelp(
            "Stop the worker in order after this number of records each time, as a deployment does, and start it again.",
            valueName: "number"
        )
    )
    var stopEvery: Int = 0

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
    var header: [KafkaHeader] = []

    @Flag(help: "Print only differences and the summary.")
    var quiet = false

    @Argument(help: ArgumentHelp("Files with records, or folders with scenes.", valueName: "events"))
    var files: [String] = ["-"]

    func validate() throws {
        for (option, number) in [("--restart-every", restartEvery), ("--stop-every", stopEvery)] where number < 0 {
            throw ValidationError("'\(option)' takes a number of at least 0; 0 means never.")
        }
        if key != nil || !header.isEmpty, !raw {
            throw ValidationError("'--key' and '--header' go with '--raw'; other records have their own.")
        }
        _ = try hubFaults()
        let folders = files.count(where: SceneFolder.isFolder)
        if folders > 0, folders < files.count { throw ValidationError("Give either files or folders with scenes.") }
        if folders > 0, expect != nil || raw || requests {
            throw ValidationError("'--expect', '--raw' and '--requests' go with files, not with a folder of scenes.")
        }
        if quiet, expect == nil, folders == 0 {
            throw ValidationError("'--quiet' needs '--expect': it would print nothing.")
        }
    }

    func run() async throws {
        guard !files.contains(where: SceneFolder.isFolder) else { return try rehearseScenes() }
        let (report, notes) = try run(of: options.read(), file: options.file)
            .report(
                on: files,
                raw: raw ? (key.map { Array($0.utf8) }, header.map(\.ofEvent)) : nil,
                expected: expect,
                now: .now()
            )
        for note in notes { StandardError.write("note: \(note)") }
        if !quiet { for line in report.lines { StandardOutput.write(line) } }
        StandardOutput.write(lines: report.problems)
        if expect != nil { StandardOutput.write("\(report.passed) passed, \(report.failed) failed") }
        if !report.problems.isEmpty { throw ExitCode.failure }
    }

    private func rehearseScenes() throws {
        var results: [SceneResult] = []
        for path in files {
            let folder = try SceneFolder(path)
            for file in folder.unused {
                StandardError.write("note: no scene uses \(file); its expectations are missing")
            }
            for scene in folder.scenes {
                var own = options
                own.config = scene.configuration ?? options.config
                let (report, _) = try run(of: own.read(), file: own.file)
                    .report(on: [scene.events], expected: scene.expected, now: .now())
                let result = SceneResult(of: scene, report)
                results.append(result)
                if !quiet || !result.isPassed { StandardOutput.write(lines: result.lines) }
            }
        }
        StandardOutput.write(results.summary)
        if !results.allSatisfy(\.isPassed) { throw ExitCode.failure }
    }

    private func run(of read: ReadConfiguration, file: String) throws -> RehearsalRun {
        var run = RehearsalRun(read.configuration, file: file)
        run.source = sourceOption.source
        run.restarts = RehearsedRestarts(crashEvery: restartEvery, stopEvery: stopEvery)
        run.hubFaults = try hubFaults()
        run.showsRequests = requests
        return run
    }

    private func hubFaults() throws(ValidationError) -> [HubFault] {
        var faults: [HubFault] = []
        for text in fail { faults.append(try HubFaultArgument.read(text)) }
        return faults
    }
}
