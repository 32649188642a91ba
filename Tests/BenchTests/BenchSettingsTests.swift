import NewsflashCommandLineArguments
import Testing

@testable import NewsflashBench

@Suite(.timeLimit(.minutes(4)))
struct BenchSettingsTests {
    @Test func `bare libcurl and the worker take turns, and allocations are counted apart`() {
        #expect(BenchSettings(rounds: 2).laps == [.bare, .worker, .bare, .worker, .allocations])
    }

    @Test func `the embedded cluster gets as many partitions as it needs to keep all events`() {
        #expect(BenchSettings(events: 1000).sourcePartitions == 6)
        let many = BenchSettings(events: 200_000)
        #expect(many.sourcePartitions == 41)
        #expect(many.sourcePartitions * (5 << 20) >= many.events * BenchEvents.largestRecord)
        #expect(BenchSettings(events: 200_000, brokers: "a:1").sourcePartitions == 6)
        #expect(BenchSettings(events: 200_000, partitions: 1, brokers: "a:1").problem == nil)
        #expect(BenchSettings(events: 200_000, partitions: 40).problem?.contains("--partitions 41") == true)
        #expect(BenchSettings(events: 200_000, partitions: 41).problem == nil)
    }

    @Test(arguments: [
        ["--events", "99"], ["--events", "9999999"], ["--partitions", "0"], ["--in-flight", "0"], ["--delay", "-1"],
        ["--rate", "0"], ["--brokers", ""], ["--rounds", "0"], ["--registrations", "1"], ["--partitions", "1"],
        ["--hub", "--brokers", "a:1"], ["--kills", "-1"], ["--kills", "1", "--rate", "500"], ["--hub", "--kills", "1"],
    ])
    func `options that contradict each other are wrong usage`(words: [String]) async {
        var errors: [String] = []
        let code = await BenchCommand.main(words, output: { _ in }, errors: { errors.append($0) })
        #expect(code.rawValue == 64)
        #expect(errors.first?.contains("--") == true)
    }

    @Test func `options become settings`() throws {
        let words = [
            "--events", "5000", "--partitions", "7", "--in-flight", "9", "--delay", "20", "--rate", "500", "--brokers",
            "a:1,b:2", "--rounds", "2",
        ]
        let command = try #require(try BenchCommand.parseAsRoot(words) as? BenchCommand)
        let wanted = BenchSettings(
            events: 5000,
            partitions: 7,
            inFlight: 9,
            delay: 20,
            rate: 500,
            brokers: "a:1,b:2",
            rounds: 2
        )
        #expect(command.settings == wanted)
    }

    @Test func `kills are counted in a lap of their own after all others`() throws {
        let words = ["--rounds", "1", "--kills", "3"]
        let command = try #require(try BenchCommand.parseAsRoot(words) as? BenchCommand)
        #expect(command.settings.kills == 3)
        #expect(command.settings.laps == [.bare, .worker, .allocations, .kills])
    }

    @Test func `each example of the help can be parsed`() {
        let help = BenchCommand.helpMessage().split(separator: "\n")
        let examples = help.filter { $0.hasPrefix("  newsflash-bench") }
        #expect(examples.count >= 6)
        for example in examples {
            let words = example.split(separator: " ").dropFirst().map(String.init)
            #expect(throws: Never.self) { _ = try BenchCommand.parseAsRoot(words) }
        }
        #expect(help.allSatisfy { $0.count <= 120 })
    }

    @Test func `only the bench calls the commands of its parts`() {
        #expect(!BenchCommand.helpMessage().contains("SUBCOMMANDS"))
        #expect(BenchCommand.helpMessage(for: BenchPartCommand.self).contains("'newsflash-bench'"))
    }
}
