import NewsflashKafka
import NewsflashPlanning
import NewsflashPublishing
import NewsflashRendering
import NewsflashWorker
import Testing

/// Variables that override the file, and secrets that are not shown.
@Suite(.timeLimit(.minutes(1)))
struct ConfigurationEnvironmentTests {
    @Test
    func `a variable overrides the file and supplies a missing key`() throws {
        let configuration = try SoundConfiguration.read(
            adding: "kafka: { group: from-file, clientId: from-file }\ndelivery: { drain: 1s }",
            environment: [
                "NEWSFLASH_KAFKA_BOOTSTRAP_SERVERS": "a:9092, b:9092",
                "NEWSFLASH_KAFKA_GROUP": "from-variable",
                "NEWSFLASH_KAFKA_INSTANCE": "newsflash-0",
                "NEWSFLASH_KAFKA_START_AT": "latest",
                "NEWSFLASH_HUB": "another",
                "NEWSFLASH_DELIVERY_DRAIN": "7s",
                "NEWSFLASH_DELIVERY_RETRY_BASE": "5ms",
                "NEWSFLASH_LOCALES_OFFERED": "en,cs",
                "NEWSFLASH_TOPICS_DEAD_LETTERS": "letters",
                "NEWSFLASH_ADMIN_LISTEN": "off",
            ]
        )
        #expect(configuration.kafka.bootstrapServers == "a:9092,b:9092")
        #expect(configuration.group == "from-variable")
        #expect(configuration.instance == "newsflash-0")
        #expect(configuration.kafka.clientID == "from-file")
        #expect(configuration.startAt == .latest)
        #expect(configuration.hub.name == "another")
        #expect(configuration.drain == .seconds(7))
        #expect(configuration.publishing.retry.base == .milliseconds(5))
        #expect(configuration.news.locales.offered == ["en", "cs"])
        #expect(
            configuration.topics == TopicNames(deadLetters: "letters", control: "from-variable.control")
        )
        #expect(configuration.source.ledger == "from-variable.newsroom.breaking.v1.ledger")
        #expect(configuration.admin == nil)
    }

    @Test
    func `an empty member name counts as absent`() throws {
        let configuration = try SoundConfiguration.read(
            adding: "kafka: { instance: from-file }",
            environment: ["NEWSFLASH_KAFKA_INSTANCE": ""]
        )
        #expect(configuration.instance == nil)
    }

    @Test
    func `variables alone can supply the version and the hub`() {
        let text = "locales: { offered: [en], default: en }\ncategories: { World: [world] }"
        let environment = ["NEWSFLASH_VERSION": "1", "NEWSFLASH_HUB": "regional"]
        #expect(SoundConfiguration.problems(in: text, environment: environment) == [])
    }

    @Test
    func `a problem names the wrong variable instead of a line`() {
        let environment = ["NEWSFLASH_DELIVERY_CONCURRENCY": "many"]
        #expect(
            SoundConfiguration.problems(adding: "delivery: { concurrency: 4 }", environment: environment) == [
                "delivery.concurrency: 'many' is not a whole number from 1 to 1024 "
                    + "(from the variable NEWSFLASH_DELIVERY_CONCURRENCY)"
            ]
        )
    }

    @Test
    func `the connection string comes from a file or a variable`() throws {
        let file = try SoundConfiguration.read(environment: ["NEWSFLASH_HUB_CONNECTION_STRING_FILE": "/run/key"])
        #expect(file.hub.credentials == .file("/run/key"))
        let variable = try SoundConfiguration.read(environment: ["NEWSFLASH_HUB_CONNECTION_STRING": "text"])
        #expect(variable.hub.credentials == .variable("NEWSFLASH_HUB_CONNECTION_STRING", value: "text"))
        let none = try SoundConfiguration.read()
        #expect(none.hub.credentials == nil)
        #expect(none.hub.missingCredentials.contains("NEWSFLASH_HUB_CONNECTION_STRING"))
    }

    @Test(arguments: [
        (["NEWSFLASH_HUB_CONNECTION_STRING": "text", "NEWSFLASH_HUB_CONNECTION_STRING_FILE": "/run/b"], "text"),
        (["NEWSFLASH_HUB_CONNECTION_STRING": "text", "NEWSFLASH_HUBS_MAIN_CONNECTION_STRING_FILE": "/run/b"], "text"),
        (["NEWSFLASH_HUB_CONNECTION_STRING_FILE": "/run/b", "KEY": "text"], "/run/b"),
        (["NEWSFLASH_HUBS_MAIN_CONNECTION_STRING_FILE": "/run/b", "KEY": "text"], "/run/b"),
        (["KEY": "text"], "text"), (["KEY": ""], "/run/a"), (["NEWSFLASH_HUB_CONNECTION_STRING": ""], "/run/a"),
        ([:], "/run/a"),
    ])
    func `a connection string in a variable overrides the file's connectionStringFile`(
        environment: [String: String],
        expected: String
    ) throws {
        let hubs = "hubs: { main: { name: a, connectionStringFile: /run/a, connectionStringVariable: KEY } }"
        let text = SoundConfiguration.text.replacing("hub: regional", with: hubs)
        let read = try ConfigurationReader(environment: environment).read(text: text, source: "test.yaml")
        switch read.configuration.hub.credentials {
        case .file(let path): #expect(path == expected)
        case .variable(_, let value): #expect(value == expected)
        case nil: Issue.record("the hub has no credentials")
        }
    }

    @Test
    func `no description and no dump of a configuration shows a secret`() throws {
        let configuration = try SoundConfiguration.read(
            adding: """
                kafka:
                  sasl: { mechanism: PLAIN, username: desk, passwordVariable: KAFKA_PASSWORD }
                """,
            environment: [
                "NEWSFLASH_HUB_CONNECTION_STRING": "Endpoint=sb://a.b/;SharedAccessKeyName=c;SharedAccessKey=hush-key",
                "KAFKA_PASSWORD": "hush-password",
            ]
        )
        var dumped = ""
        dump(configuration, to: &dumped)
        #expect(dumped.contains("NEWSFLASH_HUB_CONNECTION_STRING"))
        for text in [dumped, "\(configuration)", String(reflecting: configuration)] {
            #expect(!text.contains("hush"))
        }
    }

    @Test(arguments: [
        ("Endpoint=sb://a.b/;SharedAccessKeyName=c;hush-key", "part 3"),
        ("hush-key", "connection string"),
        ("Endpoint=sb://a.b/;SharedAccessKey=hush-key", "SharedAccessKeyName is missing"), ("", "missing"),
    ])
    func `the error about an unusable connection string does not contain it`(text: String, word: String) {
        let error = #expect(throws: HubCredentialsError.self) {
            try HubCredentials.variable("THE_VARIABLE", value: text).read()
        }
        #expect(error?.description.hasPrefix("variable THE_VARIABLE: ") == true)
        #expect(error?.description.contains(word) == true)
        #expect(error?.description.contains("hush") == false)
    }
}
