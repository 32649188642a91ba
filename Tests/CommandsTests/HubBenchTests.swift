import CommandLineArguments
import StrictJSON
import Testing

@testable import Commands

@Suite(.timeLimit(.minutes(1)))
struct HubBenchTests {
    @Test func `a hub is measured at each size, for people and for scripts`() async throws {
        let run = HubBenchRun(sizes: [0, 30], sends: 50, concurrency: 4, progress: { _ in })
        let report = HubBenchReport(stages: try await run.run(), sends: 50, concurrency: 4, cores: 2)
        #expect(report.stages.map(\.registrations) == [0, 30])
        #expect(report.stages.map { $0.registered != nil } == [false, true])
        #expect(report.stages.allSatisfy { $0.rate > 0 && $0.median > .zero && $0.slow >= $0.median })
        #expect(report.text.split(separator: "\n").allSatisfy { $0.count <= 120 })
        let json = try JSONReader.read(report.json)
        #expect(json[member: "stages"]?.array?.last?[member: "registrations"]?.int64 == 30)
        #expect(json[member: "stages"]?.array?.last?[member: "sendsPerSecond"]?.double ?? 0 > 0)
    }

    @Test(arguments: [
        ["--registrations", "5"], ["--hub", "--registrations", "5", "--registrations", "1"],
        ["--hub", "--registrations", "-1"], ["--hub", "--rate", "5"],
    ])
    func `what does not go together is wrong usage`(words: [String]) async {
        let code = await Newsflash.main(["bench"] + words, output: { _ in }, errors: { _ in })
        #expect(code.rawValue == 64)
    }
}
