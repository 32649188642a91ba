import NewsflashCurlTransport
import NewsflashEvents
import NewsflashHTTPServer
import NewsflashKafka
import NewsflashObservability
import NewsflashPlanning
import NewsflashPublishing
import NewsflashRendering
import NewsflashTimestamps
import NotificationHubs

extension WorkerConfiguration {
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
        let group = kafka.value("group")
        let instance = kafka.instance
        let assignment = kafka.choice("assignment", of: Assignment.self)
        let startAt = kafka.choice("startAt", of: KafkaConsumerConfiguration.OffsetReset.self)
        let session = kafka.duration("sessionTimeout")
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
        let drain = delivery.duration("drain")
        let scouts = delivery.boolean("scout")
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
    /// More is probably a mistake: the defaults are 8 and 16 MiB.
    private static let usualMemory = 1 << 30

    fileprivate init(_ root: ConfigurationSection, news: NewsSettings?) {
        var configuration = PublishingConfiguration()
        configuration.policy = AdmissionPolicy(root, news: news)
        let delivery = root.section("delivery")
        var limits = configuration.limits
        limits.concurrency = delivery.integer("concurrency")
        limits.expressReserve =
            delivery.integer(ifGiven: "expressReserve") ?? min(limits.expressReserve, limits.concurrency / 2)
        if limits.expressReserve > limits.concurrency, delivery.isGiven("expressReserve") {
            delivery.warn(
                "expressReserve",
                "is more than delivery.concurrency (\(limits.concurrency)): requests for express events are added to "
                    + "it; write at most as many, or leave the key out"
            )
        }
        limits.outageAfter = delivery.integer("outageAfter")
        limits.longestPause = delivery.duration("longestPause")
        configuration.limits = limits
        configuration.exposureLimit = RiskLimit(forConcurrency: limits.concurrency)
        if let text = delivery.text("probeTag") {
            do throws(HubValueError) {
                configuration.probe = HubProbe(tag: try Tag(text))
            } catch {
                delivery.report("probeTag", error.description)
            }
        }
        let retry = delivery.section("retry")
        configuration.retry.base = retry.duration("base")
        configuration.retry.cap = retry.duration("cap")
        if configuration.retry.base > configuration.retry.cap {
            retry.report(
                retry.isGiven("base") ? "base" : "cap",
                "base is longer than cap, the longest wait between attempts"
            )
        }
        configuration.readAheadBytes = Self.memory(delivery, "readAhead")
        configuration.storyMemoryBytes = Self.memory(delivery, "storyMemory")
        configuration.commitInterval = delivery.duration("commitInterval")
        self = configuration
    }

    private static func memory(_ section: ConfigurationSection, _ key: String) -> Int {
        let bytes = section.byteCount(key)
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
        let connect = delivery.duration(ifGiven: "connectTimeout")
        let firstByte = delivery.duration(ifGiven: "firstByteTimeout")
        let whole = delivery.duration(ifGiven: "requestTimeout")
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
        maximumIdleTime = delivery.duration("connectionIdleTime")
        maximumConnectionAge = delivery.duration("connectionAge")
        // As many as requests: an HTTP/1.1 connection carries one request at a time, and a request without a connection would
        // wait.
        maximumConnectionsPerHost = delivery.integer(ifGiven: "connections") ?? requests
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
}

extension ListenAddress {
    /// Reads `admin.listen`; `nil` for `off`.
    static func admin(_ section: ConfigurationSection) -> ListenAddress? {
        let text = section.value("listen")
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
            level: section.choice("level", of: LogLevel.self),
            format: section.choice("format", of: Format.self)
        )
    }
}
