import Testing

@testable import NewsflashWorker

@Suite(.timeLimit(.minutes(1)))
struct GroupInTopicNamesTests {
    private func read(_ topics: String, group: String = "night") throws -> ReadConfiguration {
        let text = """
            version: 1
            kafka: { group: \(group) }
            hub: newsroom
            locales: { offered: [en], default: en }
            categories: { World: [world] }
            topics: { \(topics) }
            """
        let environment = [
            "NEWSFLASH_HUB_CONNECTION_STRING":
                "Endpoint=sb://a.example/;SharedAccessKeyName=k;SharedAccessKey=a2V5"
        ]
        return try ConfigurationReader(environment: environment).read(text: text, source: "a")
    }

    @Test func `the names of the ledger and the control topic may contain the group`() throws {
        let read = try read(#"ledger: "{group}.{topic}.facts", control: "{group}.orders""#)
        #expect(read.configuration.source.ledger == "night.newsroom.breaking.v1.facts")
        #expect(read.configuration.topics.control == "night.orders")
        #expect(!read.warnings.contains { $0.path == "topics.control" })
    }

    /// The control topic, and whether its name is the default of another group.
    @Test(arguments: [
        ("newsflash.control", true), ("night.control", false), ("orders", false), ("{group}.control", false),
    ])
    func `the default control topic of another group is refused`(control: String, isOther: Bool) {
        do {
            _ = try read("control: \"\(control)\"")
            #expect(!isOther)
        } catch {
            let problems = (error as? ConfigurationError)?.problems ?? []
            #expect(isOther && problems.map(\.path) == ["topics.control"], "\(error)")
        }
    }
}
