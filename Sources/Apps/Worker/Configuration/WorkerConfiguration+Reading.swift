import CurlTransport
import Kafka
import NewsEvents
import Publishing
import StructuredLog
import Timestamps

extension WorkerConfiguration {
    /// Kafka's own default since 3.0 (KIP-735). A broker that dies as coordinator is replaced after 9 s at the earliest, and
    /// a member that is not heard meanwhile for longer than its session loses its partitions with what it could not commit.
    private static let usualSession = Duration.seconds(45)
    /// What brokers take unless told otherwise (`group.min.session.timeout.ms`).
    private static let brokersMinimum = Duration.seconds(6)
    /// What the commit and the answer to the group may take after a drain.
    private static let sessionBeyondDrain = Duration.seconds(5)

    /// Reads all sections; `nil` where a problem that was reported leaves nothing to go on with.
    init?(_ root: ConfigurationSection, digest: String) {
        if let version = root.text("version"), version != "1" {
            root.report("version", "'\(version)' is not known; this worker reads version 1")
        } else if !root.isGiven("version") {
            root.report("version", "is missing; write 'version: 1' so that later versions can tell")
        }
        let kafka = root.section("kafka")
        let client = KafkaConfiguration(kafka)
        let group = kafka.text("group") ?? "newsflash"
        if group.isEmpty { kafka.report("group", "is empty; name the consumer group, such as newsflash") }
        let startAt = kafka.choice("startAt", of: KafkaConsumerConfiguration.OffsetReset.self) ?? .earliest
        let askedSession = kafka.duration("sessionTimeout")
        kafka.reportUnknownKeys()
        let source = SourceSettings(root)
        let topics = TopicNames(root.section("topics"))
        let hub = HubSettings(root)
        let news = NewsSettings(root)
        let publishing = PublishingConfiguration(root, digest: digest)
        let delivery = root.section("delivery")
        let transport = CurlTransportConfiguration(delivery, concurrency: publishing.limits.concurrency)
        let drain = delivery.duration("drain") ?? .seconds(20)
        delivery.reportUnknownKeys()
        let shortestSession = max(Self.brokersMinimum, drain + Self.sessionBeyondDrain)
        if let askedSession, askedSession < shortestSession {
            kafka.report(
                "sessionTimeout",
                "is too short: brokers take no less than 6s, and a worker may need delivery.drain and 5s more to give "
                    + "partitions back; write \(Int(shortestSession.inSeconds.rounded(.up)))s or more"
            )
        }
        let admin = ListenAddress.admin(root.section("admin"))
        let log = LogSettings(root.section("log"))
        guard let news, let hub else { return nil }
        self.init(
            kafka: client,
            group: group,
            startAt: startAt,
            sessionTimeout: askedSession ?? max(Self.usualSession, shortestSession),
            source: source,
            topics: topics,
            hub: hub,
            news: news,
            publishing: publishing,
            transport: transport,
            drain: drain,
            admin: admin,
            log: log
        )
    }
}

extension SourceSettings {
    /// Reads `sources`, of which there is one for now.
    fileprivate init(_ root: ConfigurationSection) {
        let sources = root.section("sources")
        let all = sources.sections()
        if all.count > 1 { sources.report(all[1].name, "is the second source; one is supported for now") }
        guard let (name, section) = all.first else {
            self.init(name: "desk", topic: "newsroom.breaking.v1", id: "newsroom")
            return
        }
        let format = section.text("format") ?? "event"
        if format != "event" {
            section.report("format", "'\(format)' is not supported yet; 'event' is (event version 1)")
        }
        self.init(
            name: name,
            topic: section.text("topic") ?? "newsroom.breaking.v1",
            id: section.text("id") ?? name
        )
        section.reportUnknownKeys()
    }
}

extension TopicNames {
    fileprivate init(_ section: ConfigurationSection) {
        let defaults = TopicNames()
        self.init(
            outcomes: section.text("outcomes") ?? defaults.outcomes,
            deadLetters: section.text("deadLetters") ?? defaults.deadLetters
        )
        section.reportUnknownKeys()
    }
}

extension HubSettings {
    /// Reads `hub: name`, or `hubs` with one entry.
    fileprivate init?(_ root: ConfigurationSection) {
        if root.isGiven("hub") {
            if root.node("hubs") != nil { root.report("hubs", "stands beside 'hub', which is short for it; keep one") }
            guard let name = root.text("hub") else { return nil }
            self.init(label: "main", name: name, section: nil, environment: root.context.environment)
            return
        }
        let hubs = root.section("hubs")
        let all = hubs.sections()
        guard let (label, section) = all.first else {
            root.report("hub", "is missing; name the hub, as in 'hub: newsroom'")
            return nil
        }
        if all.count > 1 { hubs.report(all[1].name, "is the second hub; one is supported for now") }
        guard let name = section.text("name") else {
            section.report("name", "is missing; it is the hub's name in its namespace")
            return nil
        }
        self.init(label: label, name: name, section: section, environment: root.context.environment)
        section.reportUnknownKeys()
    }

    private init(label: String, name: String, section: ConfigurationSection?, environment: [String: String]) {
        let defaultVariable = "NEWSFLASH_HUB_CONNECTION_STRING"
        let file = section?.text("connectionStringFile") ?? environment[defaultVariable + "_FILE"]
        let variable = section?.text("connectionStringVariable") ?? defaultVariable
        var credentials: HubCredentials?
        if let file {
            credentials = .file(file)
        } else if let value = environment[variable] {
            credentials = .variable(variable, value: value)
        }
        self.init(
            label: label,
            name: name,
            credentials: credentials,
            missingCredentials: "no connection string for the hub \(name): set the variable \(variable), or "
                + "hubs.\(label).connectionStringFile to a file that holds it"
        )
    }
}

extension PublishingConfiguration {
    fileprivate init(_ root: ConfigurationSection, digest: String) {
        var configuration = PublishingConfiguration(digest: digest)
        let policy = root.section("policy")
        let life = policy.section("life")
        for kind in EventKind.allCases {
            if let duration = life.duration(kind.rawValue) { configuration.policy.life[kind] = duration }
        }
        life.reportUnknownKeys()
        if let skew = policy.duration("clockSkew") { configuration.policy.clockSkew = skew }
        policy.reportUnknownKeys()

        let delivery = root.section("delivery")
        var limits = configuration.limits
        limits.concurrency = delivery.integer("concurrency", in: 1...1024) ?? limits.concurrency
        limits.expressReserve =
            delivery.integer("expressReserve", in: 0...1023) ?? min(limits.expressReserve, limits.concurrency / 2)
        limits.outageAfter = delivery.integer("outageAfter", in: 1...1000) ?? limits.outageAfter
        if limits.expressReserve >= limits.concurrency {
            delivery.report(
                "expressReserve",
                "\(limits.expressReserve) leaves no slot for other news; it must be below concurrency, \(limits.concurrency)"
            )
        }
        configuration.limits = limits
        let retry = delivery.section("retry")
        configuration.retry.base = retry.duration("base") ?? configuration.retry.base
        configuration.retry.cap = retry.duration("cap") ?? configuration.retry.cap
        retry.reportUnknownKeys()
        configuration.readAheadBytes = delivery.byteCount("readAhead") ?? configuration.readAheadBytes
        configuration.commitInterval = delivery.duration("commitInterval") ?? configuration.commitInterval
        self = configuration
    }
}

extension CurlTransportConfiguration {
    /// Reads what `delivery` says of connections; the rest of that section is read elsewhere.
    fileprivate init(_ delivery: ConfigurationSection, concurrency: Int) {
        self.init()
        connectTimeout = delivery.duration("connectTimeout") ?? connectTimeout
        firstByteTimeout = delivery.duration("firstByteTimeout") ?? firstByteTimeout
        requestTimeout = delivery.duration("requestTimeout") ?? requestTimeout
        // As many as requests: HTTP/1.1 carries one a connection, and a request that waits for one is late.
        maximumConnectionsPerHost = delivery.integer("connections", in: 1...1024) ?? concurrency
        maximumConnections = max(maximumConnections, maximumConnectionsPerHost)
        // An answer that comes before a body was read whole, such as an early 401, is lost over HTTP/2 with libcurl 7.88.
        httpVersion = delivery.choice("httpVersion", of: HTTPVersionChoice.self) == .automatic ? .automatic : .http1
        caFile = delivery.text("caFile")
        for key in ["concurrency", "expressReserve", "outageAfter", "retry", "readAhead", "commitInterval"] {
            _ = delivery.node(key)
        }
    }
}

/// `delivery.httpVersion`.
private enum HTTPVersionChoice: String, CaseIterable {
    case http1 = "1.1"
    case automatic
}

extension ListenAddress {
    fileprivate static func admin(_ section: ConfigurationSection) -> ListenAddress? {
        defer { section.reportUnknownKeys() }
        guard let text = section.text("listen") else { return ListenAddress(host: "127.0.0.1", port: 9464) }
        guard text != "off" else { return nil }
        guard let address = ListenAddress(text) else {
            section.report("listen", "'\(text)' is no address; write host and port, such as 127.0.0.1:9464, or off")
            return nil
        }
        return address
    }
}

extension LogSettings {
    fileprivate init(_ section: ConfigurationSection) {
        self.init(
            level: section.choice("level", of: LogLevel.self) ?? .info,
            format: section.choice("format", of: Format.self) ?? .text
        )
        section.reportUnknownKeys()
    }
}
