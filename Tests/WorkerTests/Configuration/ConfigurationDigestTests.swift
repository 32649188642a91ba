import NewsflashPublishing
import NewsflashWorker
import Testing

/// The digest that names the rules in force.
@Suite(.timeLimit(.minutes(1)))
struct ConfigurationDigestTests {
    private static let lines = """
        text: { alert: "{headline}", kill: "Withdrawn: {headline}" }
        send: { properties: { messageParam: "{headline}" } }
        """

    private func digest(
        of lines: String = lines,
        environment: [String: String] = [:]
    ) throws -> String {
        try SoundConfiguration.read(adding: lines, environment: environment).publishing.digest
    }

    @Test
    func `the digest has twelve digits and is the same for the same rules`() throws {
        let digest = try digest()
        #expect(digest.count == 12)
        #expect(try self.digest() == digest)
    }

    @Test(arguments: [
        "text: { alert: \"News: {headline}\", kill: \"Withdrawn: {headline}\" }\nsend: { properties: { messageParam: \"{headline}\" } }",
        "text: { alert: \"{headline}\", kill: \"Withdrawn: {headline}\" }", Self.lines + "\nunknown: World",
        Self.lines + "\nlimits: { headline: 90 }",
        Self.lines + "\npolicy: { life: { flash: 1h } }", Self.lines + "\nsources: { wire: { id: wire } }",
    ])
    func `the digest changes with each rule in the file`(lines: String) throws {
        #expect(try digest(of: lines) != digest())
    }

    @Test(arguments: [
        ("NEWSFLASH_TEXT_ALERT", "News: {headline}"), ("NEWSFLASH_CATEGORIES_WORLD", "world,abroad"),
        ("NEWSFLASH_LOCALES_DEFAULT", "fr"), ("NEWSFLASH_UNKNOWN", "World"), ("NEWSFLASH_POLICY_LIFE_FLASH", "1h"),
        ("NEWSFLASH_SEND_PROPERTIES_MESSAGE_PARAM", "{summary}"),
    ])
    func `the digest changes with each rule that a variable overrides`(variable: String, value: String) throws {
        #expect(try digest(environment: [variable: value]) != digest())
    }

    @Test
    func `the origin of a value does not change the digest`() throws {
        let moved = try digest(
            of:
                "text: { alert: other, kill: \"Withdrawn: {headline}\" }\nsend: { properties: { messageParam: \"{headline}\" } }",
            environment: ["NEWSFLASH_TEXT_ALERT": "{headline}"]
        )
        #expect(try moved == digest())
    }

    @Test
    func `layout, brokers, speed and secrets do not change the digest`() throws {
        let other = try digest(
            of: "# by the night desk\nkafka: { bootstrapServers: \"elsewhere:9092\" }\ndelivery: { concurrency: 3 }\n"
                + Self.lines,
            environment: [
                "NEWSFLASH_HUB_CONNECTION_STRING": "Endpoint=sb://a.b/;SharedAccessKeyName=c;SharedAccessKey=a2V5",
                "NEWSFLASH_LOG_LEVEL": "debug", "NEWSFLASH_NOTHING_OF_OURS": "x",
            ]
        )
        #expect(try other == digest())
    }
}
