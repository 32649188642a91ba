import NewsflashEvents
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashTopicPartitions
import NotificationHubs
import Testing

@testable import NewsflashPublishing
@testable import NewsflashWorker

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

@Suite(.timeLimit(.minutes(4)))
struct WorkerMetricsTests {
    @Test
    func `the metrics of every outcome can be written`() {
        let metrics = WorkerMetrics()
        let origin = RecordOrigin(partition: TopicPartition(topic: "news", partition: 0), offset: 7)
        for kind in OutcomeKind.allCases {
            var outcome = OutcomeRecord(
                of: Desk.event("one"),
                verdict: EventVerdict(kind),
                origin: origin,
                config: "",
                at: Timestamp.now()
            )
            outcome.timing.firstAccept = 12
            metrics.ended(outcome)
        }
        metrics.retried("server_error")
        metrics.passedTombstone()
        metrics.writeFailed()
        #expect(metrics.registry.refusedNames == [])
        let text = metrics.registry.text()
        for kind in OutcomeKind.allCases {
            #expect(text.contains(#"newsflash_outcomes_total{outcome="\#(kind.rawValue)"} 1"#))
        }
        #expect(text.contains(#"newsflash_retries_total{error="server_error"} 1"#))
        #expect(text.contains("newsflash_tombstones_total 1"))
    }

    @Test
    func `a request is counted by its result and by the response time of the hub`() {
        let metrics = WorkerMetrics(hubs: ["main", "partner"])
        metrics.hubs[0].ended(.accepted, took: .milliseconds(20))
        metrics.hubs[0].ended(.throttled(after: .seconds(1)), took: .milliseconds(700))
        metrics.hubs[1].ended(.unknown, took: nil)
        let text = metrics.registry.text()
        for (hub, result, count) in [
            ("main", "accepted", 1), ("main", "throttled", 1), ("main", "unknown", 0), ("partner", "accepted", 0),
            ("partner", "unknown", 1),
        ] {
            #expect(text.contains(#"newsflash_hub_requests_total{hub="\#(hub)",result="\#(result)"} \#(count)"# + "\n"))
        }
        #expect(text.contains(#"newsflash_hub_request_seconds_bucket{hub="main",le="0.025"} 1"#))
        #expect(text.contains(#"newsflash_hub_request_seconds_count{hub="main"} 2"#))
        #expect(text.contains(#"newsflash_hub_request_seconds_count{hub="partner"} 0"#))
    }

    @Test
    func `the limits and the circuit of each hub are shown by its name`() throws {
        let metrics = WorkerMetrics(hubs: ["main", "partner"])
        let hold = OpenCircuit(.unauthorized, now: .now(), detail: "")
        var main = PublishingStatus.Hub(name: "main", circuit: hold, concurrencyLimit: 8, rateLimit: 27, inFlight: 3)
        main.limit = .circuit
        let partner = PublishingStatus.Hub(
            name: "partner",
            concurrencyLimit: 4,
            inFlight: 0,
            pausedUntil: Timestamp(milliseconds: 1)
        )
        metrics.status.set([main, partner])
        let text = metrics.registry.text()
        for series in [
            #"newsflash_requests_in_flight{hub="main"} 3.0"#, #"newsflash_hub_concurrency_limit{hub="main"} 8.0"#,
            #"newsflash_hub_rate_limit{hub="main"} 27.0"#, #"newsflash_hub_throttled{hub="main"} 0.0"#,
            #"newsflash_circuit_open{hub="main",reason="unauthorized"} 1.0"#,
            #"newsflash_circuit_open{hub="main",reason="refusals"} 0.0"#,
            #"newsflash_circuit_open{hub="partner",reason="unauthorized"} 0.0"#,
            #"newsflash_hub_limit{hub="main",limit="circuit"} 1.0"#,
            #"newsflash_hub_limit{hub="main",limit="rate"} 0.0"#,
            #"newsflash_hub_limit{hub="partner",limit="idle"} 1.0"#,
            #"newsflash_hub_rate_limit{hub="partner"} 0.0"#,
            #"newsflash_hub_throttled{hub="partner"} 1.0"#,
        ] {
            #expect(text.contains("\n\(series)\n"), "\(series)")
        }
    }

    @Test
    func `the lag of a revoked partition is removed`() {
        let metrics = WorkerMetrics()
        let lags = (0...1).map { number in
            PartitionLag(source: TopicPartition(topic: "news", partition: number), records: 3, age: .milliseconds(1500))
        }
        metrics.lag.set(lags)
        #expect(metrics.registry.text().contains(#"newsflash_lag_seconds{topic="news",partition="1"} 1.5"#))
        metrics.lag.set([lags[0]])
        let text = metrics.registry.text()
        #expect(text.contains(#"newsflash_lag_records{topic="news",partition="0"} 3.0"#))
        #expect(!text.contains(#"partition="1""#))
    }

    @Test
    func `adopted rules replace the earlier ones in the metrics`() {
        let metrics = WorkerMetrics()
        metrics.showBuild(config: "a1")
        metrics.showBuild(config: "b2")
        let lines = metrics.registry.text().split(separator: "\n").filter { $0.hasPrefix("newsflash_build_info{") }
        let labels = #"version="\#(WorkerVersion.current)",librdkafka="\#(KafkaLibrary.version)",config="b2""#
        #expect(lines == ["newsflash_build_info{\(labels)} 1.0"])
    }

    @Test
    func `a new worker has every series that alerts query, and promtool finds no fault`()
        async throws
    {
        try await Newsroom.open { newsroom in
            try await newsroom.withWorker { worker in
                await worker.lag.poll()
                try await waitUntil { !worker.lag.lags(now: .now()).isEmpty }
                let text = worker.scrape(.prometheus)
                let hub = newsroom.configuration.hub.label
                let place = #"{topic="\#(newsroom.names.source)",partition="0"}"#
                for series in Self.series(hub: hub, place: place) {
                    #expect(text.contains("\n\(series) "), "\(series) is missing")
                }
                #expect(worker.observation.metrics.registry.refusedNames == [])
                try await judge(text)
            }
        }
    }

    /// Checks the text with promtool, if it is installed.
    private func judge(_ text: String) async throws {
        let promtool = "/usr/bin/promtool"
        guard isInstalled(promtool) else {
            print("left out: promtool check metrics, as there is no \(promtool) (Debian package prometheus)")
            return
        }
        let folder = try TemporaryFolder()
        let file = folder.file("metrics")
        let output = open(file, O_WRONLY | O_CREAT, 0o600)
        let written = write(output, text, text.utf8.count)
        close(output)
        #expect(written == text.utf8.count)
        let check = try ChildProcess(["/bin/sh", "-c", "\(promtool) check metrics < \(file) 2>&1"])
        #expect(try await check.waitForEnd() == .exited(0), "\(check.lines.events)")
        #expect(check.lines.events == [])
    }

    /// The series that alerts and dashboards use.
    private static func series(hub: String, place: String) -> [String] {
        let plain = [
            "newsflash_events_ahead", "newsflash_pauses", "newsflash_unconfirmed_writes",
            "newsflash_stories", "newsflash_story_bytes", "newsflash_assigned_partitions",
            "newsflash_oldest_open_event_seconds", "newsflash_tombstones_total", "newsflash_recognized_records_total",
            "newsflash_ledger_repairs_total", "newsflash_write_failures_total", "newsflash_log_lines_dropped_total",
            "newsflash_ready", "newsflash_oldest_unconfirmed_seconds", "newsflash_ledger_restore_seconds_count",
            "newsflash_kafka_faults", "process_cpu_seconds_total", "process_resident_memory_bytes", "process_open_fds",
            "process_max_fds", "process_start_time_seconds",
        ]
        let circuits = CircuitReason.allCases.map {
            #"newsflash_circuit_open{hub="\#(hub)",reason="\#($0.rawValue)"}"#
        }
        let limits = ["requests_in_flight", "hub_concurrency_limit", "hub_rate_limit", "hub_throttled"]
            .map { #"newsflash_\#($0){hub="\#(hub)"}"# }
        let outcomes = OutcomeKind.allCases.map { #"newsflash_outcomes_total{outcome="\#($0.rawValue)"}"# }
        let events = PublishingStatus.stateNames.map { #"newsflash_events{phase="\#($0)"}"# }
        let unready = Readiness.Cause.all.map { #"newsflash_unready{reason="\#($0.word)"}"# }
        let letters = ["invalid.schema", "invalid.refused", "failed.unknown", "failed.unconfirmed", "failed.refused"]
            .map { #"newsflash_dead_letters_total{reason="\#($0)"}"# }
        let hubs = ["accepted", "throttled", "unauthorized", "unavailable", "unknown"]
            .map { #"newsflash_hub_requests_total{hub="\#(hub)",result="\#($0)"}"# }
        return plain + circuits + limits + outcomes + events + unready + letters + hubs + [
            "newsflash_lag_records\(place)", "newsflash_lag_seconds\(place)",
            #"newsflash_hub_request_seconds_count{hub="\#(hub)"}"#,
            #"newsflash_accept_latency_seconds_bucket{lane="express",le="0.005"}"#,
            #"newsflash_accept_latency_seconds_bucket{lane="normal",le="3600.0"}"#,
            #"newsflash_retries_total{error="unavailable"}"#,
        ]
    }

    @Test
    func `the process metrics are those of this process`() throws {
        let registry = MetricsRegistry()
        ProcessMetrics.add(to: registry)
        func value(_ name: String) throws -> Double {
            let line = try #require(
                registry.text(.prometheus).split(separator: "\n").first { $0.hasPrefix(name + " ") }
            )
            return try #require(line.split(separator: " ").last.flatMap { Double($0) })
        }
        let descriptors = try value("process_open_fds")
        let opened = open("/dev/null", O_RDONLY)
        defer { close(opened) }
        #expect(opened >= 0)
        #expect(descriptors >= 3)
        #expect(try value("process_max_fds") >= descriptors)
        #expect(try value("process_resident_memory_bytes") > 1_000_000)
        #expect(try value("process_cpu_seconds_total") > 0)
        let age = Double(Timestamp.now().milliseconds) / 1000 - (try value("process_start_time_seconds"))
        #expect((0..<86_400).contains(age))
    }
}
