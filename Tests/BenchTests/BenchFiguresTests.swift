import Testing

@testable import NewsflashBench

@Suite(.timeLimit(.minutes(1)))
struct BenchFiguresTests {
    @Test func `a thread's line is parsed with its name, whatever brackets the name has`() throws {
        let line =
            "41 (a) (b c) S 1 41 41 0 -1 4194368 128 0 0 0 1500 250 0 0 20 0 9 0 12345 1000000 500 18446744073709551615"
        let thread = try #require(ThreadTime(stat: line))
        #expect(thread.name == "a) (b c")
        #expect(thread.ticks == 1750)
    }

    @Test(arguments: ["", "1", "1 (a", ") (", "1 (a) S 1 2 3", "1 (a) S 1 2 3 4 5 6 7 8 9 10 x y 13"])
    func `a line in another form is not parsed as a thread`(line: String) {
        #expect(ThreadTime(stat: line) == nil)
    }

    @Test func `sizes and names are found in texts of the system`() {
        let status = "Name:\tnewsflash\nVmPeak:\t  999 kB\nVmHWM:\t  1024 kB\nVmRSS:\t     8 kB\n"
        #expect(ProcessTexts.size("VmHWM", status: status) == 1 << 20)
        #expect(ProcessTexts.size("VmRSS", status: status) == 8192)
        #expect(ProcessTexts.size("VmSwap", status: status) == nil)
        let processor = ProcessTexts.processor(cpuinfo: "processor\t: 0\nmodel name\t: A  B: 2 GHz\nmodel name\t: C\n")
        #expect(processor == "A B: 2 GHz")
        #expect(ProcessTexts.processor(cpuinfo: "processor : 0") == nil)
    }

    @Test func `processor time is split by thread, and time that no thread accounts for is shown as other`() {
        let names = [
            "kafka-consumer", "publishing", "kafka-reader", "newsflash-curl", "kafka-producer", "rdk:broker1",
            "rdk:broker-1",
            "rdk:main",
            "newsflash",
        ]
        let threads = names.compactMap { ThreadTime(stat: "1 (\($0)) S 0 0 0 0 0 0 0 0 0 0 60 40") }
        let seconds = BenchStep.seconds(of: threads, ticksPerSecond: 100, total: 10)
        #expect(
            seconds == [
                .consumer: 1, .publishing: 1, .readers: 1, .http: 1, .producer: 1, .brokers: 2, .librdkafka: 1,
                .others: 2,
            ]
        )
        #expect(seconds.values.reduce(0, +) == 10)
    }

    @Test func `a percentile is a value that this share of the samples does not exceed`() {
        let hundred = LatencyFigures(of: (1...100).reversed())
        #expect(hundred == LatencyFigures(line: "50 90 99 100"))
        #expect(LatencyFigures(of: [7]) == LatencyFigures(line: "7 7 7 7"))
        #expect(LatencyFigures(of: []) == LatencyFigures(line: "0 0 0 0"))
        #expect(LatencyFigures(line: "1 2 3") == nil)
        #expect(LatencyFigures(line: hundred.line) == hundred)
    }

    @Test func `the sink counts requests, and each event once`() {
        let count = SinkCount()
        count.reset(expecting: 3)
        #expect(count.add(Array("{}".utf8), at: 10) == 0)
        for (number, instant) in [(1, 20), (0, 30), (1, 40), (3, 50)] {
            _ = count.add(Array(#"{"id":"e-000000\#(number)","story":"#.utf8), at: Int64(instant))
        }
        #expect(count.figures == SinkFigures(requests: 5, events: 2, first: 10, last: 50))
        #expect(SinkFigures(line: count.figures.line) == count.figures)
        #expect(SinkFigures(line: "1 2 3") == nil)
        // One event per nanosecond, event 0 at 1: the events of 30 and 20 were due at 1 and 2.
        #expect(count.latencies(start: 1, rate: 1_000_000_000) == LatencyFigures(line: "18 29 29 29"))
        count.reset(expecting: 3)
        #expect(count.figures == SinkFigures())
    }

    @Test(
        arguments: [
            (#"{"id":"e-0000042","story""#, 42), (#"{"id":"e-""#, nil), (#"{"story":"e-1"}"#, nil), ("", nil),
            (#"{"id":"e-99999999999999999999999""#, nil),
        ] as [(String, Int?)]
    )
    func `an event is recognized by the beginning of a send`(body: String, number: Int?) {
        #expect(SinkCount.eventNumber(in: Array(body.utf8)) == number)
    }
}
