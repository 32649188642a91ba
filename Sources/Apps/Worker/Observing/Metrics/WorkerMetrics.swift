import NewsflashBasics
import NewsflashEvents
import NewsflashKafka
package import NewsflashObservability
import NewsflashPublishing
import NewsflashTimestamps
import NotificationHubs

#if canImport(Glibc)
import Glibc
#endif

/// The worker's metrics; each help text describes one.
///
/// Every series that an alert may use exists from the start with zero, because a counter that starts with its first event shows
/// no increase for it. Counts are kept by the threads where the events happen; other values are read at a scrape.
final class WorkerMetrics: Sendable {
    let registry = MetricsRegistry()
    /// The request metrics by hub index.
    let hubs: [HubMetrics]
    /// The gauges that a scrape reads from the core's status.
    let status: StatusGauges
    let lag: LagGauges
    let health: HealthGauges
    private let shownConfig = Locked<String?>(nil)
    private let expressLatency: Histogram
    private let normalLatency: Histogram
    private let outcomes: [OutcomeKind: Counter]
    private let counters = Locked<[CounterKey: Counter]>([:])
    private let tombstones: Counter
    private let recognitions: Counter
    private let repairs: Counter
    private let writeFailures: Counter
    private let restorations: Histogram

    /// The name of a counter and the value of its only dimension.
    private struct CounterKey: Hashable {
        var name: String
        var value: String
    }

    /// From the shortest possible latency to an age at which it is no longer news.
    private static let latencyBuckets: [Double] = [
        0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3600,
    ]

    /// Makes the metrics of a worker that has done nothing yet.
    ///
    /// - Parameter hubs: The names of its hubs, as in outcomes.
    init(hubs: [String] = []) {
        let registry = registry
        func latency(_ lane: String) -> Histogram {
            registry.histogram(
                "newsflash_accept_latency_seconds",
                help: "Time from publication to acceptance by the hub.",
                unit: "seconds",
                dimensions: [("lane", lane)],
                buckets: Self.latencyBuckets
            )
        }
        expressLatency = latency("express")
        normalLatency = latency("normal")
        self.hubs = hubs.map { HubMetrics($0, registry) }
        let outcomes = OutcomeKind.allCases.map { kind in
            (
                kind,
                registry.counter(
                    "newsflash_outcomes",
                    help: "Final outcomes.",
                    dimensions: [("outcome", kind.rawValue)]
                )
            )
        }
        self.outcomes = Dictionary(uniqueKeysWithValues: outcomes)
        tombstones = registry.counter("newsflash_tombstones", help: "Skipped records without a value.")
        writeFailures = registry.counter("newsflash_write_failures", help: "Failed writes of outcomes or dead letters.")
        recognitions = registry.counter(
            "newsflash_recognized_records",
            help: "Records read again that were already processed."
        )
        repairs = registry.counter("newsflash_ledger_repairs", help: "Repaired records of late writers.")
        restorations = registry.histogram(
            "newsflash_ledger_restore_seconds",
            help: "Time from the assignment of a partition until its ledger was read.",
            unit: "seconds"
        )
        status = StatusGauges(hubs: hubs, registry)
        lag = LagGauges(registry)
        health = HealthGauges(registry)
        ProcessMetrics.add(to: registry)
        for reason in InvalidReason.known.map(\.rawValue) + EventVerdict.failureReasons { _ = deadLetters(reason) }
        for label in ["unavailable", "unknown"] { _ = retries(label) }
    }

    func ended(_ outcome: OutcomeRecord) {
        let kind = outcome.verdict.outcome
        outcomes[kind]?.increment()
        if kind.isDeadLetter { deadLetters(outcome.verdict.reason ?? kind.rawValue).increment() }
        // A replay was published long ago, and subscribers did not wait for it, so it has no latency.
        guard outcome.replay == nil, let milliseconds = outcome.timing.firstAccept else { return }
        let isExpress = outcome.kind == "flash" || outcome.kind == "kill"
        (isExpress ? expressLatency : normalLatency).observe(max(0, milliseconds / 1000))
    }

    func retried(_ label: String) { retries(label).increment() }

    func passedTombstone() { tombstones.increment() }

    func recognized() { recognitions.increment() }

    func repaired() { repairs.increment() }

    func writeFailed() { writeFailures.increment() }

    /// Records that a partition's ledger was read.
    ///
    /// - Parameter duration: The time since the partition was assigned.
    func restored(after duration: Duration) { restorations.observe(duration.inSeconds) }

    /// Shows the number of dropped log lines.
    func show(_ logger: Logger) {
        registry.counter(
            "newsflash_log_lines_dropped",
            help: "Log lines dropped because the output was too slow."
        ) { Double(logger.droppedLines) }
    }

    /// Shows the version and the rules in force.
    ///
    /// - Parameter digest: The digest of the rules in force, which may change before the next scrape.
    func showBuild(config digest: String) {
        func dimensions(_ digest: String) -> [(String, String)] {
            [("version", WorkerVersion.current), ("librdkafka", KafkaLibrary.version), ("config", digest)]
        }
        shownConfig.withLock { shown in
            guard shown != digest else { return }
            if let shown { registry.remove("newsflash_build_info", dimensions: dimensions(shown)) }
            registry.gauge(
                "newsflash_build_info",
                help: "Always 1; the labels contain the versions and the digest of the rules.",
                dimensions: dimensions(digest)
            ).set(1)
            shown = digest
        }
    }

    private func deadLetters(_ reason: String) -> Counter {
        counter("newsflash_dead_letters", "Dead letters.", ("reason", reason))
    }

    private func retries(_ label: String) -> Counter {
        counter("newsflash_retries", "Requests that will be retried.", ("error", label))
    }

    /// The counter for one value, created once. The values come from our closed lists.
    private func counter(_ name: String, _ help: String, _ dimension: (String, String)) -> Counter {
        counters.withLock { counters in
            let key = CounterKey(name: name, value: dimension.1)
            if let counter = counters[key] { return counter }
            let counter = registry.counter(name, help: help, dimensions: [dimension])
            counters[key] = counter
            return counter
        }
    }
}

/// The requests to one hub: counts by result, and response times.
final class HubMetrics: Sendable {
    private let results: [Counter]
    private let seconds: Histogram

    init(_ hub: String, _ registry: MetricsRegistry) {
        results = HubReply.Verdict.examples.map { verdict in
            registry.counter(
                "newsflash_hub_requests",
                help: "Requests to the hub by result, including probes.",
                dimensions: [("hub", hub), ("result", verdict.label)]
            )
        }
        seconds = registry.histogram(
            "newsflash_hub_request_seconds",
            help: "Time from the first byte of a request to its response, if there was one.",
            unit: "seconds",
            dimensions: [("hub", hub)]
        )
    }

    /// Counts one request.
    ///
    /// - Parameters:
    ///   - verdict: The result.
    ///   - duration: The response time, if the hub responded.
    func ended(_ verdict: HubReply.Verdict, took duration: Duration?) {
        results[verdict.place].increment()
        if let duration { seconds.observe(duration.inSeconds) }
    }
}

extension HubReply.Verdict {
    /// One verdict of each kind, in the order of ``place``.
    fileprivate static let examples: [HubReply.Verdict] = [
        .accepted, .throttled(after: nil), .refused, .unauthorized, .forbidden, .notFound, .gone, .unavailable,
        .notSent, .unknown,
    ]

    fileprivate var place: Int {
        switch self {
        case .accepted: 0
        case .throttled: 1
        case .refused: 2
        case .unauthorized: 3
        case .forbidden: 4
        case .notFound: 5
        case .gone: 6
        case .unavailable: 7
        case .notSent: 8
        case .unknown: 9
        }
    }
}

/// The resource usage of the process, under the usual names of Prometheus clients.
package enum ProcessMetrics {
    /// Adds the metrics, which query the system at each scrape.
    ///
    /// - Parameter registry: The registry that shows them.
    package static func add(to registry: MetricsRegistry) {
        registry.counter(
            "process_cpu_seconds",
            help: "CPU time of the process, user and system.",
            unit: "seconds"
        ) { processorSeconds ?? .nan }
        registry.gauge(
            "process_resident_memory_bytes",
            help: "Resident memory of the process.",
            unit: "bytes"
        ) { residentBytes ?? .nan }
        registry.gauge("process_open_fds", help: "Open file descriptors.") { openDescriptors ?? .nan }
        registry.gauge("process_max_fds", help: "Maximum number of open file descriptors.") { mostDescriptors ?? .nan }
        let start = startTime
        registry.gauge(
            "process_start_time_seconds",
            help: "Start time of the process, in seconds since 1970.",
            unit: "seconds"
        ) { start ?? .nan }
    }

    private static var processorSeconds: Double? {
        guard let fields = statFields, fields.count > 12, let own = Double(fields[11]), let system = Double(fields[12])
        else { return nil }
        return (own + system) / ticksASecond
    }

    private static var residentBytes: Double? {
        // Pages: all, resident, shared, …
        words(of: "/proc/self/statm").dropFirst().first.flatMap { Double($0) }.map { $0 * Double(getpagesize()) }
    }

    private static var openDescriptors: Double? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Without `.`, `..` and the descriptor of this folder.
        return Double(max(0, count - 3))
    }

    private static var mostDescriptors: Double? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Double(limit.rlim_cur)
    }

    /// The system returns it in ticks since boot.
    private static var startTime: Double? {
        guard let fields = statFields, fields.count > 19, let ticks = Double(fields[19]),
            let sinceBoot = words(of: "/proc/uptime").first.flatMap({ Double($0) })
        else { return nil }
        return Double(Timestamp.now().milliseconds) / 1000 - (sinceBoot - ticks / ticksASecond)
    }

    /// The fields of the process's stat file from the state on. The name before it may contain spaces, and ends in `)`.
    private static var statFields: [Substring]? {
        guard let line = try? FileContent.read("/proc/self/stat"), let nameEnd = line.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        return String(decoding: line[(nameEnd + 1)...], as: UTF8.self).split(separator: " ")
    }

    private static var ticksASecond: Double { Double(sysconf(Int32(_SC_CLK_TCK))) }

    private static func words(of file: String) -> [Substring] {
        guard let bytes = try? FileContent.read(file) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: " ")
    }
}
