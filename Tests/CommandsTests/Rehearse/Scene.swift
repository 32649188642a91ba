import FoundationEssentials
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// Records with their expected results: a folder of `Tests/CommandsTests/Rehearse/Scenes`, or the events of
/// `Tests/Data`.
struct Scene: Sendable, CustomTestStringConvertible {
    /// The name of the folder; `suite` for the events of `Tests/Data`.
    let name: String
    /// The path of the configuration in the checkout.
    let configuration: String
    /// The values of `--fail`.
    var faults: [String] = []
    var testDescription: String { name }

    /// All scenes, each named after an incident; the first is the suite of the format reference.
    static let all: [Scene] =
        [Scene(name: "suite", configuration: "deploy/examples/suite.yaml")]
        + [
            "02-cnn-one-alert-every-eight-seconds", "03-nhk-missile-by-switching-error",
            "04-hawaii-kill-without-words", "05-afp-false-death", "06-ap-missiles-retracted-a-day-later",
            "07-fast-company-hold-switch", "08-rfi-hundred-obituaries", "09-apple-summaries-of-stacked-alerts",
            "10-guardian-three-editions-at-once", "11-evacuation-warning-without-its-area",
            "12-embargo-deleted-by-an-editor", "words-without-a-notice", "kill-with-the-revision-of-the-alert",
        ].map { Scene(name: $0, configuration: "Tests/CommandsTests/Rehearse/Scenes/newsroom.yaml") }
        + [
            "01-bbc-test-texts-pushed", "02-cnn-same-text-under-new-stories",
            "04-hawaii-one-person-and-no-cancellation", "07-fast-company-broken-into",
            "08-rfi-obituaries-dated-today",
        ].map { Scene(name: $0, configuration: "Tests/CommandsTests/Rehearse/Scenes/guarded.yaml") }
        + [
            Scene(
                name: "13-training-alert-that-went-live",
                configuration: "Tests/CommandsTests/Rehearse/Scenes/training.yaml"
            )
        ]
        + ["readers-by-name", "words-that-do-not-travel"].map {
            Scene(name: $0, configuration: "Tests/CommandsTests/Rehearse/Scenes/personal.yaml")
        }
        + [
            ("hub-away-at-a-restart", ["b=503@line:1..2"]),
            ("connections-cut-before-a-kill", ["a=cut@line:1..2", "b=cut@line:1..2"]),
            ("correction-after-a-hub-was-away", ["b=401@line:1"]),
        ].map { name, faults in
            Scene(
                name: name,
                configuration: "Tests/CommandsTests/Rehearse/Scenes/two-hubs.yaml",
                faults: faults
            )
        }

    /// A run without restarts, and runs with crashes and orderly stops.
    static let restarts = [
        RehearsedRestarts(), RehearsedRestarts(crashEvery: 1), RehearsedRestarts(crashEvery: 7),
        RehearsedRestarts(stopEvery: 1), RehearsedRestarts(stopEvery: 7),
    ]

    static let checkout = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }

    static func read(_ configuration: String) throws -> WorkerConfiguration {
        try ConfigurationReader(environment: [:]).read(file: "\(checkout)/\(configuration)").configuration
    }

    private var folder: String { "\(Self.checkout)/Tests/CommandsTests/Rehearse/Scenes/\(name)" }
    private var isSuite: Bool { name == "suite" }
    private var eventsFile: String { isSuite ? "\(TestData.folder.path)/events.ndjson" : "\(folder)/events.ndjson" }
    private var expectedFile: String {
        isSuite ? "\(TestData.folder.path)/events.expected.ndjson" : "\(folder)/expected.ndjson"
    }

    var records: [PlacedRecord] {
        get throws { try RehearsalFiles.read([eventsFile], isRaw: false) }
    }

    /// Rehearses the scene.
    func report(_ restarts: RehearsedRestarts = RehearsedRestarts()) throws -> RehearsalReport {
        let expectations = try Expectation.read(expectedFile)
        var records = try records
        records.setTimes(from: expectations)
        return try RehearsalReport(
            of: records,
            try Self.read(configuration),
            restarts: restarts,
            hubFaults: try faults.map { try HubFaultArgument.read($0) },
            expectations: expectations,
            now: Timestamp(seconds: 0)
        )
    }
}
