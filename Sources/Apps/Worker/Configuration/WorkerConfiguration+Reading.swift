import CurlTransport
import HTTPServer
import Kafka
import NewsEvents
import NotificationHubs
import Observability
import Planning
import Publishing
import Rendering
import Timestamps

extension WorkerConfiguration {
    /// How long a killed worker's partitions stay unassigned, and their news waits. Losing partitions costs little, because the
    /// ledger contains what was sent.
    private static let usualSession = Duration.seconds(10)
    /// The brokers' default limits (`group.min.session.timeout.ms`, `group.max.session.timeout.ms`).
    private static let sessions = Duration.seconds(6)...Duration.seconds(1800)
    /// The drain includes the commit on revocation. A group waits five minutes for a member to release its partitions.
    private static let drains = Duration.milliseconds(100)...Duration.seconds(240)

    /// The default consumer group.
    static let usualGroup = "newsflash"

    /// Reads all sections; `nil` if a reported problem prevents a configuration.
    init?(_ root: ConfigurationSection) {
        if let version = root.text("version"), version != "1" {
            root.report("version", "'\(version)' is not known; this worker reads version 1")
        } else if !root.isGiven("version") {
            root.report("version", "is missing; write 'version: 1' so that later versions know the format")
        }
        let kafka = root.section("kafka")
        let client = KafkaConfiguration(kafka)
        let group = kafka.text("group") ?? Self.usualGroup
        let instance = kafka.instance
        let assignment = kafka.choice("assignment", of: Assignment.self) ?? .cooperativeSticky
        let startAt = kafka.choice("startAt", of: KafkaConsumerConfiguration.OffsetReset.self) ?? .earliest
        let session =
            kafka.duration("sessionTimeout", in: Self.sessions, because: "the brokers' limits") ?? Self.usualSession
        var sources = SourceSettings.all(root)
        let send = SendSettings(root.section("send"))
        let hubs = HubSettings.read(root, send: send)
        let news = NewsSettings(root, send: send)
        var publishing = PublishingConfiguration(root, news: news)
        let ledger = LedgerSettings(root.section("ledger"), life: publishing.policy.maximumLife)
        let topics = TopicNames(root, group: group, sources: &sources, ledger: ledger.use)
        publishing.digest = root.context.digest.text
        let delivery = root.section("delivery")
        let transport = CurlTransportConfiguration(
            delivery,
            requests: publishing.limits.concurrency + publishing.limits.expressReserve,
            hubs: hubs?.count ?? 1
        )
        let drain =
            delivery.duration(
                "drain",
                in: Self.drains,
                because: "the last commit needs time, and a group waits 5m for partitions to be given back"
            ) ?? .seconds(10)
        let scouts = delivery.boolean("scout") ?? true
        let admin = ListenAddress.admin(root.section("admin"))
        let adminHosts = ListenAddress.hosts(root.section("admin"))
        let log = LogSettings(root.section("log"))
        let gateway = GatewaySettings(root.section("gateway"))
        let reload = CanaryTerms(root.section("reload"))
        let secure = SecureSettings(root.section("secure"))
        guard let news, let hubs else { return nil }
        HubSettings.check(hubs, news: news, isOfFeeds: sources.contains { $0.format != .event }, root)
        SourceSettings.checkReaders(sources, hubs, root)
        if news.text.notice == nil {
            SourceSettings.warnOfSecureDelivery(sources, root)
        } else {
            secure.require(root)
        }
        if news.text.notice != nil, ledger.use == .off {
            let message =
                "is off, so a restart forgets which stories are secure: each event of such a story must set 'delivery: secure'"
            root.section("ledger").warn("use", message)
        }
        self.init(
            kafka: client,
            group: group,
            instance: instance,
            assignment: assignment.strategy,
            startAt: startAt,
            sessionTimeout: session,
            sources: sources,
            topics: topics,
            ledger: ledger,
            hubs: hubs,
            news: news,
            publishing: publishing,
            transport: transport,
            scouts: scouts,
            drain: drain,
            admin: admin,
            adminHosts: adminHosts,
            log: log,
            gateway: gateway,
            reload: reload,
            secure: secure
        )
    }
}

/// `kafka.assignment`.
private enum Assignment: String, CaseIterable {
    case cooperativeSticky = "cooperative-sticky"
    case range

    var strategy: KafkaConsumerConfiguration.AssignmentStrategy {
        switch self {
        case .cooperativeSticky: .cooperativeSticky
        case .range: .range
        }
    }
}

extension ConfigurationSection {
    /// `kafka.instance`; `nil` if it is empty, as an environment variable may be.
    fileprivate var instance: String? {
        guard let name = text("instance"), !name.isEmpty else { return nil }
        if !TopicNames.isTopicName(name) {
            report(
                "instance",
                "'\(name)' is not a valid member name; write 1 to 249 letters, digits, dots, - and _ of ASCII"
                    + name.hintOfVariables
            )
        }
        return name
    }
}

extension PublishingConfiguration {
    /// Less memory has no room for the largest events and their batches.
    private static let leastMemory = 1 << 20
    /// More is probably a mistake: the defaults are 8 and 16 MiB.
    private static let usualMemory = 1 << 30
    private static let retries = Duration.milliseconds(1)...Duration.seconds(3600)
    private static let commitIntervals = Duration.milliseconds(1)...Duration.seconds(60)

    fileprivate init(_ root: ConfigurationSection, news: NewsSettings?) {
        var configuration = PublishingConfiguration()
        configuration.policy = AdmissionPolicy(root, news: news)
        let delivery = root.section("delivery")
        var limits = configuration.limits
        limits.concurrency = delivery.integer("concurrency", in: 1...1024) ?? limits.concurrency
        limits.expressReserve =
            delivery.integer("expressReserve", in: 0...1023) ?? min(limits.expressReserve, limits.concurrency / 2)
        if limits.expressReserve > limits.concurrency, delivery.isGiven("expressReserve") {
            delivery.warn(
                "expressReserve",
                "is more than delivery.concurrency (\(limits.concurrency)): requests for express events are added to "
                    + "it; write at most as many, or leave the key out"
            )
        }
        limits.outageAfter = delivery.integer("outageAfter", in: 1...1000) ?? limits.outageAfter
        limits.longestPause = delivery.positiveDuration("longestPause") ?? limits.longestPause
        configuration.limits = limits
        configuration.exposureLimit = RiskLimit(forConcurrency: limits.concurrency)
        if let text = delivery.text("probeTag") {
            do throws(TagError) {
                configuration.probe = HubProbe(tag: try Tag(text))
            } catch {
                delivery.report("probeTag", error.description)
            }
        }
        let retry = delivery.section("retry")
        configuration.retry.base = retry.duration("base", in: Self.retries) ?? configuration.retry.base
        configuration.retry.cap = retry.duration("cap", in: Self.retries) ?? configuration.retry.cap
        if configuration.retry.base > configuration.retry.cap {
            retry.report(
                retry.isGiven("base") ? "base" : "cap",
                "base is longer than cap, the longest wait between attempts"
            )
        }
        configuration.readAheadBytes = Self.memory(delivery, "readAhead") ?? configuration.readAheadBytes
        configuration.storyMemoryBytes = Self.memory(delivery, "storyMemory") ?? configuration.storyMemoryBytes
        configuration.commitInterval =
            delivery.duration(
                "commitInterval",
                in: Self.commitIntervals,
                because: "a crash repeats what is not committed"
            )
            ?? configuration.commitInterval
        self = configuration
    }

    private static func memory(_ section: ConfigurationSection, _ key: String) -> Int? {
        guard let bytes = section.byteCount(key) else { return nil }
        if bytes < leastMemory { section.report(key, "must be at least 1MiB") }
        if bytes > usualMemory {
            section.warn(
                key,
                "is more than 1GiB, and the worker may fill it; write less, unless the machine has that much memory"
            )
        }
        return bytes
    }
}

extension CurlTransportConfiguration {
    /// Reads the connection settings of `delivery`; the rest of that section is read elsewhere.
    fileprivate init(_ delivery: ConfigurationSection, requests: Int, hubs: Int) {
        self.init()
        let connect = delivery.duration("connectTimeout", in: Self.timeouts)
        let firstByte = delivery.duration("firstByteTimeout", in: Self.timeouts)
        let whole = delivery.duration("requestTimeout", in: Self.timeouts)
        for (key, part, other, longer) in [
            ("connectTimeout", connect, "firstByteTimeout", firstByte),
            ("connectTimeout", connect, "requestTimeout", whole),
            ("firstByteTimeout", firstByte, "requestTimeout", whole),
        ] {
            guard let part, let longer, part > longer else { continue }
            delivery.report(
                key,
                "is longer than delivery.\(other), which includes it; write less here or more there"
            )
        }
        // A default is never longer than the timeout that includes it.
        requestTimeout = whole ?? max(requestTimeout, firstByte ?? .zero, connect ?? .zero)
        firstByteTimeout = firstByte ?? min(max(firstByteTimeout, connect ?? .zero), requestTimeout)
        connectTimeout = connect ?? min(connectTimeout, firstByteTimeout)
        maximumIdleTime = delivery.positiveDuration("connectionIdleTime") ?? maximumIdleTime
        maximumConnectionAge = delivery.positiveDuration("connectionAge") ?? maximumConnectionAge
        // As many as requests: an HTTP/1.1 connection carries one request at a time, and a request without a connection would
        // wait.
        maximumConnectionsPerHost = delivery.integer("connections", in: 1...2047) ?? requests
        if maximumConnectionsPerHost < requests {
            delivery.warn(
                "connections",
                "is less than \(requests), the sum of delivery.concurrency and delivery.expressReserve: when all are in "
                    + "use, a flash waits for one; leave the key out"
            )
        }
        maximumConnections = max(maximumConnections, maximumConnectionsPerHost * hubs)
        caFile = delivery.file("caFile")
    }

    private static let timeouts = Duration.milliseconds(10)...Duration.seconds(600)
}

extension ListenAddress {
    /// Reads `admin.listen`; `nil` for `off`.
    static func admin(_ section: ConfigurationSection) -> ListenAddress? {
        guard let text = section.text("listen") else { return ListenAddress(host: "127.0.0.1", port: 9464) }
        guard text != "off" else { return nil }
        guard let address = ListenAddress(text) else {
            section.report("listen", "'\(text)' is not an address; write host and port, such as 127.0.0.1:9464, or off")
            return nil
        }
        return address
    }
}

extension ListenAddress {
    /// Reads `admin.hosts`.
    fileprivate static func hosts(_ section: ConfigurationSection) -> [String] {
        let hosts = section.texts("hosts") ?? []
        for host in hosts {
            let isName = host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
            guard host.isEmpty || !isName else { continue }
            section.report("hosts", "'\(host)' is not a host name; write it without scheme and port")
        }
        return hosts
    }
}

extension LogSettings {
    fileprivate init(_ section: ConfigurationSection) {
        self.init(
            level: section.choice("level", of: LogLevel.self) ?? .info,
            format: section.choice("format", of: Format.self) ?? .text
        )
    }
}
