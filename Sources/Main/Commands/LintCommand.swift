import NewsflashCommandLineArguments
import NewsflashOperations
import NewsflashTimestamps
import NewsflashWorker

/// `newsflash lint`
struct LintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Check the configuration, and events against it. Nothing is sent and no secret is read.",
        discussion: """
            Prints all problems, one a line, in the form of editors and build logs: file:line: key: problem. Warnings do
            not fail the check. The line number is absent for missing keys and for values from the environment.

            Events are decoded as strictly as in the worker. For each event the decision is printed, as if it arrived when
            it was published and the events before it had been sent. The text of the news is never shown.

            Templates of devices are parsed as the hub parses them when an app registers them. A property without a default
            that no send of this configuration has is a problem: it would be empty on the device.

            \(EventFiles.help) \(SourceOption.help)

            Exit codes: 0 fine or only warnings, 1 invalid events or faulty templates, 65 a file with events or a template
            cannot be read, 78 the configuration has problems, or cannot be read.

            Examples:
              newsflash lint --config newsflash.yaml
              newsflash lint --config newsflash.yaml samples/*.ndjson
              newsflash lint --template alert.json
              newsflash lint --template android.json --platform fcmv1
              newsflash lint --json | jq '.problems[]'
            """
    )

    @OptionGroup var options: ConfigurationOptions

    @OptionGroup var sourceOption: SourceOption

    @OptionGroup var templateOptions: TemplateOptions

    @Flag(help: "One JSON object.")
    var json = false

    @Argument(help: ArgumentHelp("Files with events to check as well.", valueName: "events"))
    var files: [String] = []

    func run() async throws {
        let records = try RehearsalFiles.parts(of: EventFiles.read(files))
        let result = options.result()
        var sources: [SourceSettings]?
        if case .success(let read) = result {
            sources = try sourceOption.narrow(read.configuration, of: options.file).sources
        }
        let report = LintReport(
            file: options.file,
            result: result,
            records: records,
            namesEvents: !files.isEmpty,
            sources: sources,
            templates: try templateOptions.read(),
            now: .now()
        )
        if json {
            StandardOutput.write(report.json)
        } else {
            StandardOutput.write(lines: report.lines)
        }
        if case .failure(let error) = result, error.problems.contains(where: { $0.kind == .unreadable }) {
            throw OperationError(.badConfiguration, error.description)
        }
        if let failure = report.failure { throw ExitCode(failure.rawValue) }
    }
}
