import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct UnknownVariablesTests {
    private func warnings(_ variables: [String]) throws -> [String] {
        let environment = Dictionary(uniqueKeysWithValues: variables.map { ($0, "x") })
        let known = try ConfigurationReader(environment: [:]).read(text: SampleNewsroom.yaml, source: "a").variables
        return UnknownVariables(environment, known: known).warnings.map(\.description)
    }

    @Test(arguments: [
        ("NEWSFLASH_KAFKA_GROPU", "NEWSFLASH_KAFKA_GROUP"),
        ("NEWSFLASH_KAFKA_BOOTSTRAP_SERVER", "NEWSFLASH_KAFKA_BOOTSTRAP_SERVERS"),
        ("NEWSFLASH_HUB_CONECTION_STRING", "NEWSFLASH_HUB_CONNECTION_STRING"),
        ("NEWSFLASH_LEDGER_DAMAGE", "NEWSFLASH_LEDGER_DAMAGED"),
    ])
    func `a misspelt variable is a warning with the near name`(variable: String, near: String) throws {
        let warnings = try warnings([variable])
        #expect(warnings.count == 1)
        #expect(warnings.first?.hasPrefix("\(variable): ") == true, "\(warnings)")
        #expect(warnings.first?.hasSuffix("Did you mean \(near)?") == true, "\(warnings)")
    }

    @Test(arguments: [
        "NEWSFLASH_KAFKA_GROUP", "NEWSFLASH_KAFKA_BOOTSTRAP_SERVERS", "NEWSFLASH_LEDGER_DAMAGED",
        "NEWSFLASH_ADMIN_LISTEN",
        "NEWSFLASH_HUB_CONNECTION_STRING", "NEWSFLASH_HUB_CONNECTION_STRING_FILE", "NEWSFLASH_HUB",
        "NEWSFLASH_LOG_LEVEL",
        "NEWSFLASH_TOPICS_LEDGER", "NEWSFLASH_CONFIG", "NEWSFLASH_LONG", "NEWSFLASH_SERVICE_HOST",
        "NEWSFLASH_GATEWAY_SERVICE_PORT_HTTPS", "NEWSFLASH_PORT_9464_TCP_ADDR", "NEWSFLASH_PORT", "PATH",
    ])
    func `a variable with a meaning is not a warning`(variable: String) throws {
        #expect(try warnings([variable]).isEmpty)
    }
}
