import CommandLineArguments
import Timestamps
import Worker

/// `newsflash lint`
struct LintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Check the configuration, and events against it. Nothing is sent and no secret is read.",
        discussion: """
            Every problem comes at once, one a line, as editors and build logs read them: file:line: key: what is wrong.
            Warnings do not fail the check. Lines are left out for what is missing, or comes from the environment.

            Events are read as strictly as the worker reads them, and the decision for each is told, as if it came when
            it was published and what stands before it had been sent. Words of the news are never shown.

            Templates of devices are read as the hub reads them when an app registers them. What they read without a
            default, and no send of this configuration carries, is a problem: it would be empty on the device.

            \(EventFiles.help) \(SourceOption.help)

            Exit codes: 0 fine or only warnings, 1 problems, invalid events, templates with such faults,
            65 a file cannot be read.

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

    @Argument(help: ArgumentHelp("Events to check as well.", valueName: "events"))
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
            sources: sources,
            templates: try templateOptions.read(),
            now: .now()
        )
        if json {
            StandardOutput.write(report.json)
        } else {
            for line in report.lines { StandardOutput.write(line) }
        }
        if report.hasProblems { throw ExitCode.failure }
    }
}
