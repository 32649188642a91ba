import NewsflashTimestamps
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// A newsroom with two tags and two languages, and events for it.
enum SampleNewsroom {
    static let yaml = """
        version: 1
        hub: newsroom
        locales: { offered: [en, fr], default: en }
        categories:
          World: [world]
          Sports: [sport]
        text:
          flash: { en: "Breaking: {headline}", fr: "Alerte : {headline}" }
          correction: "Correction: {headline}"
          kill: "Withdrawn: {headline}"
        """

    /// Decodes configurations whose hub has its connection string.
    static let reader = ConfigurationReader(
        environment: [
            "NEWSFLASH_HUB_CONNECTION_STRING": "Endpoint=sb://a.b/;SharedAccessKeyName=c;SharedAccessKey=a2V5"
        ]
    )

    static func configuration() throws -> ReadConfiguration {
        try ConfigurationReader(environment: [:]).read(text: yaml, source: "news.yaml")
    }

    static func topicSettings() throws -> TopicSettings { TopicSettings(try configuration().configuration) }

    /// A minute after the events below.
    static let now = Timestamp(rfc3339: "2026-03-02T08:01:00Z") ?? Timestamp(nanoseconds: 0)

    static let flash = """
        {"v":1,"id":"e-1","story":"urn:desk:1","revision":1,"kind":"flash","published":"2026-03-02T08:00:00Z",\
        "categories":["world","unheard-of"],"text":{"en":{"headline":"Bridge closed"}},\
        "url":"https://news.example.org/1"}
        """

    static let correction = """
        {"v":1,"id":"e-2","story":"urn:desk:1","revision":2,"kind":"correction","published":"2026-03-02T08:00:30Z",\
        "categories":["sport"],"text":{"en":{"headline":"Bridge open"},"fr":{"headline":"Pont ouvert"}}}
        """

    static let kill = """
        {"v":1,"id":"e-3","story":"urn:desk:1","revision":3,"kind":"kill","published":"2026-03-02T08:00:40Z"}
        """

    static let withoutText = """
        {"v":1,"id":"e-4","story":"urn:desk:4","revision":1,"kind":"alert","published":"2026-03-02T08:00:00Z",\
        "categories":["world"],"text":"Bridge closed"}
        """

    /// Explains events of one file, each after those before it.
    static func explanations(
        _ texts: [String],
        yaml: String = yaml,
        templates: [TemplateFile] = [],
        now: Timestamp = now
    ) throws -> [EventExplanation] {
        let explainer = try EventExplainer(
            ConfigurationReader(environment: [:]).read(text: yaml, source: "news.yaml").configuration,
            places: ConfigurationPlaces(text: yaml, file: "news.yaml"),
            templates: templates,
            now: now
        )
        return try explainer.explain(
            texts.enumerated().map { index, text in
                let record = try RehearsalFiles.record(Array(text.utf8), at: "e.json")
                return PlacedRecord(line: index + 1, file: "e.json", place: "e.json", record: record)
            }
        )
    }

    static func records(_ texts: String..., file: String = "events.ndjson") -> [FileRecord] {
        texts.enumerated().map { FileRecord(file: file, line: $0 + 1, bytes: Array($1.utf8)) }
    }
}
