import NewsflashCommandLineArguments
import NewsflashStrictJSON
import Testing

@testable import NewsflashBench

@Suite(.timeLimit(.minutes(3)))
struct HubBenchTests {
    @Test func `a hub is measured at each size, with a report for people and one for scripts`() async throws {
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

    @Test func `a hub drops the oldest sends of a backlog and goes on with the new ones`() async throws {
        let report = try await HubBacklogRun(registrations: 3000, sends: 300, progress: { _ in }).run()
        #expect(report.waiting > 200)
        #expect(report.accepted.count == 300)
        #expect(report.states["Abandoned", default: 0] > 200)
        #expect(report.states["Completed", default: 0] >= 100)
        #expect(report.states.values.reduce(0, +) == 400)
        // Other tests use the memory of this process too, so only the bench itself can check the bound:
        // `newsflash-bench --hub --backlog` fails if it is exceeded.
        #expect(report.isWithinBound != nil, "\(report)")
        #expect(report.text.split(separator: "\n").allSatisfy { $0.count <= 120 })
        let json = try JSONReader.read(report.json)
        #expect(json[member: "states"]?[member: "Abandoned"]?.int64 == report.states["Abandoned"].map { Int64($0) })
        #expect(json[member: "memoryPeak"]?.int64 ?? 0 > 0)
    }

    @Test func `a backlog may use only the memory that its sends need`() {
        var report = HubBacklogReport(registrations: 100, sends: 10, later: 2)
        #expect(report.isWithinBound == nil)
        report.before = 1000
        report.peak = 1000 + report.bound
        #expect(report.isWithinBound == true)
        report.peak = 1001 + report.bound
        #expect(report.isWithinBound == false)
    }

    @Test(arguments: [
        ["--backlog", "5"], ["--hub", "--backlog", "0"],
        ["--hub", "--backlog", "5", "--registrations", "1", "--registrations", "2"],
        ["--registrations", "5"], ["--hub", "--registrations", "5", "--registrations", "1"],
        ["--hub", "--registrations", "-1"], ["--hub", "--rate", "5"],
    ])
    func `options that contradict each other are wrong usage`(words: [String]) async {
        let code = await BenchCommand.main(words, output: { _ in }, errors: { _ in })
        #expect(code.rawValue == 64)
    }
}
