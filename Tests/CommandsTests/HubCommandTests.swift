import CommandLineArguments
import HubEmulator
import NotificationHubs
import Testing

@testable import Commands

@Suite(.timeLimit(.minutes(1)))
struct HubCommandTests {
    private func hub(_ arguments: [String]) throws -> HubEmulatorConfiguration {
        try #require(try Newsflash.parseAsRoot(["hub"] + arguments) as? HubCommand).emulated()
    }

    @Test func `without options it is a newsroom's hub on port 8080`() throws {
        let configuration = try hub([])
        #expect(configuration.host == "127.0.0.1")
        #expect(configuration.port == 8080)
        #expect(configuration.hubName == "newsroom")
        #expect(configuration.tier == .standard)
        #expect(configuration.rules.isEmpty)
        #expect(configuration.testSendsPerMinute == 10)
        #expect(configuration.requestObserver == nil)
    }

    @Test func `the limit of test sends can be another, or none`() throws {
        #expect(try hub(["--test-sends", "500"]).testSendsPerMinute == 500)
        #expect(try hub(["--test-sends", "unlimited"]).testSendsPerMinute == nil)
        for wrong in ["-1", "1.5", "many", ""] {
            let error = try #require(throws: UsageError.self) { try hub(["--test-sends=\(wrong)"]) }
            #expect(error.message.contains("a whole number from 0 on, or 'unlimited'"))
        }
    }

    @Test func `all options reach the hub`() throws {
        let configuration = try hub([
            "--listen", "[::1]:0", "--name", "regional", "--rule", "my worker=a=b:c:Send", "--rule", "app=k:listen",
            "--tier", "basic", "--fault", #"{"status":503,"for":"60s"}"#, "--fault",
            #"[{"cut":true},{"outcome":"WrongToken","rate":0.1}]"#, "--seed", "7", "--allow-host", "desk.example",
            "--allow-host", "hub",
        ])
        #expect(configuration.host == "::1")
        #expect(configuration.port == 0)
        #expect(configuration.hubName == "regional")
        #expect(configuration.rules.map(\.name) == ["my worker", "app"])
        #expect(configuration.rules.map(\.key.secretText) == ["a=b:c", "k"])
        #expect(configuration.rules.map(\.claims) == [[.send], [.listen]])
        #expect(configuration.tier == .basic)
        #expect(configuration.faults.count == 2)
        #expect(configuration.deliveryFaults == [DeliveryFault(outcome: "WrongToken", rate: 0.1)])
        #expect(configuration.seed == 7)
        #expect(configuration.allowedHosts == ["desk.example", "hub"])
    }

    @Test(arguments: [
        (["--listen", "8080"], "is no address"),
        (["--name", "a/b"], "letters, digits"),
        (["--rule", "secretkey"], "'--rule' number 1 cannot be read"),
        (["--rule", "a=k:Send", "--rule", "b=secretkey:Fly"], "'--rule' number 2 cannot be read"),
        (["--rule", "a=k:Send", "--rule", "a=secretkey:Send"], "'--rule' number 2 has the name of another"),
        (["--fault", "{}"], "'--fault' number 1 cannot be read"),
    ])
    func `wrong options are refused without showing a key`(arguments: [String], reason: String) throws {
        let error = try #require(throws: UsageError.self) { try hub(arguments) }
        #expect(error.message.contains(reason))
        #expect(!error.message.contains("secretkey"))
    }
}
