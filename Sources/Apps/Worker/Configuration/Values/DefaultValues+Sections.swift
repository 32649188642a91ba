import CurlTransport
import HTTPServer
import Kafka
import NewsEvents
import NotificationHubs
import Observability
import Planning
import Publishing
import Rendering
import YAML

extension DefaultValues {
    mutating func addKafka(_ configuration: WorkerConfiguration) {
        let kafka = configuration.kafka
        add("kafka.bootstrapServers", kafka.bootstrapServers)
        add("kafka.group", configuration.group)
        add("kafka.clientId", kafka.clientID)
        add("kafka.startAt", configuration.startAt.rawValue)
        add("kafka.sessionTimeout", configuration.sessionTimeout)
        add("kafka.instance", configuration.instance)
        add("kafka.assignment", configuration.assignment.rawValue)
        let isEncrypted =
            switch kafka.security {
            case .plaintext, .sasl(_, tls: nil): false
            case .tls, .sasl: true
            }
        add("kafka.tls", isEncrypted)
        add(["caFile", "certificateFile", "keyFile", "keyPasswordFile"], in: "kafka")
        add(
            ["mechanism", "username", "passwordFile", "passwordVariable", "tokenFile", "tokenVariable", "extensions"],
            in: "kafka.sasl"
        )
        add("kafka.properties", nil)
    }

    mutating func addSources(_ configuration: WorkerConfiguration) {
        for source in configuration.sources {
            func path(_ keys: String...) -> [String] { ["sources", source.name] + keys }
            add(path("topic"), source.topic)
            add(path("format"), source.format.word)
            add(path("id"), source.id)
            add(path("maximumBytes"), String(source.maximumBytes ?? source.format.usualMaximumBytes))
            add(path("mode"), source.rules.mode.rawValue)
            guard source.format != .event else { continue }
            add(path("revision"), source.rules.revision?.rawValue ?? source.format.usualRevision.rawValue)
            if source.format.word != "fields" { add(path("story"), nil) }
            add(path("push", "urgency"), nil)
            add(path("push", "type"), source.rules.push.types.sorted().joined(separator: ", "))
            for (urgency, kind) in source.rules.kinds.sorted(by: { $0.key < $1.key }) {
                add(path("kinds", "\(urgency)"), kind.rawValue)
            }
            add(path("html"), source.rules.isHTML ? "true" : "false")
            add(path("url"), nil)
            add(path("readers"), source.rules.readers.rawValue)
            for act in ["hold", "kill", "correction"] { add(path("notes", act), nil) }
            if source.format.word != "fields" {
                for key in ["schemes", "categories", "headline", "status", "timeZone"] { add(path(key), nil) }
            }
            if source.format.word == "fields" { add(path("fields"), nil) }
        }
    }

    mutating func addHubs(_ configuration: WorkerConfiguration, _ document: YAMLNode?) {
        let isShort = document?.member("hub") != nil || document?.member("hubs") == nil
        if isShort { add("hub", configuration.hub.name) }
        for hub in configuration.hubs {
            func path(_ key: String) -> [String] { ["hubs", hub.label, key] }
            if !isShort { add(path("name"), hub.name) }
            switch hub.credentials {
            case .file(let file): addSecret(path("connectionString"), from: .secretFile(file))
            case .variable(let name, _): addSecret(path("connectionString"), from: .variable(name))
            case nil: add(path("connectionString"), nil)
            }
            guard !isShort else { continue }
            add(path("connectionStringFile"), nil)
            add(path("connectionStringVariable"), nil)
            add(path("replaces"), nil)
            add(path("mode"), hub.mode.rawValue)
            // The tags of `send`, which are filled in after all keys are known.
            add(path("tags"), nil)
            add(path("as"), hub.forms.map(\.rawValue).joined(separator: ", "))
        }
    }

    mutating func addNews(_ configuration: WorkerConfiguration, _ document: YAMLNode?) {
        let news = configuration.news
        add("locales.offered", news.locales.offered.joined(separator: ", "))
        add("locales.default", news.locales.default)
        add("locales.timeZone", nil)
        add("send.as", "template")
        add("send.tags", "{category}")
        add("send.users", "username:{user}")
        add("send.maximumTags", 20)
        add("send.properties", nil)
        add("categories", nil)
        add("unknown", "drop")
        add("narrower", nil)
        for kind in TextKind.allCases { add("text.\(kind.rawValue)", "{headline}") }
        add("text.secure", nil)
        add("limits.headline", news.limits.headline.characters)
        add("limits.summary", news.limits.summary.characters)
        add("limits.ellipsis", news.limits.headline.ellipsis)
        for urgency in InterruptionLevels.urgencies {
            add("interruption.\(urgency)", news.interruption[urgency].rawValue)
        }
    }

    mutating func addPolicy(_ policy: AdmissionPolicy) {
        for kind in EventKind.allCases { add("policy.life.\(kind.rawValue)", policy.life[kind].map(\.configured)) }
        add("policy.clockSkew", policy.clockSkew)
        add("policy.maximumEmbargo", policy.maximumEmbargo)
        add("policy.embargoDropped", policy.embargoDropped.rawValue)
        add("policy.maximumLife", policy.maximumLife)
        for kind in [EventKind.flash, .alert, .update, .correction] {
            add("policy.approvals.\(kind.rawValue)", policy.approvals[kind] ?? 0)
        }
        add("policy.approvalWait", policy.approvalWait)
        add("policy.quiet.hours", nil)
        add("policy.quiet.urgency", "4..9")
        add("policy.quiet.then", QuietHours.Handling.defer.rawValue)
        add(["timeZone", "timeZones"], in: "policy.quiet")
        add("policy.caps", nil)
        add(["sameText", "perSource", "all"], in: "policy.brake")
    }

    mutating func addDelivery(_ configuration: WorkerConfiguration) {
        let publishing = configuration.publishing
        let transport = configuration.transport
        add("delivery.concurrency", publishing.limits.concurrency)
        add("delivery.expressReserve", publishing.limits.expressReserve)
        add("delivery.connections", transport.maximumConnectionsPerHost)
        add("delivery.connectTimeout", transport.connectTimeout)
        add("delivery.firstByteTimeout", transport.firstByteTimeout)
        add("delivery.requestTimeout", transport.requestTimeout)
        add("delivery.connectionIdleTime", transport.maximumIdleTime)
        add("delivery.connectionAge", transport.maximumConnectionAge)
        add("delivery.retry.base", publishing.retry.base)
        add("delivery.retry.cap", publishing.retry.cap)
        add("delivery.outageAfter", publishing.limits.outageAfter)
        add("delivery.longestPause", publishing.limits.longestPause)
        add("delivery.probeTag", "\(publishing.probe.expression)")
        add("delivery.readAhead", bytes: publishing.readAheadBytes)
        add("delivery.scout", configuration.scouts)
        add("delivery.storyMemory", bytes: publishing.storyMemoryBytes)
        add("delivery.commitInterval", publishing.commitInterval)
        add("delivery.drain", configuration.drain)
        add("delivery.caFile", transport.caFile)
    }

    mutating func addRest(_ configuration: WorkerConfiguration) {
        let topics = configuration.topics
        add("topics.outcomes", topics.outcomes)
        add("topics.deadLetters", topics.deadLetters)
        add("topics.ledger", configuration.sources.map(\.ledger).joined(separator: ", "))
        add("topics.control", topics.control)
        add("ledger.use", configuration.ledger.use.rawValue)
        add("ledger.damaged", configuration.ledger.ignoresDamage ? "ignore" : "refuse")
        add("ledger.retention", configuration.ledger.retention)
        add("admin.listen", configuration.admin.map { "\($0.host):\($0.port)" } ?? "off")
        add("admin.hosts", configuration.adminHosts.joined(separator: ", "))
        let gateway = configuration.gateway
        add(["publishers", "senders"], in: "gateway")
        add(["algorithm", "keyFile", "issuer", "audience"], in: "gateway.bearer")
        add("gateway.bearer.userClaim", gateway.bearer?.userClaim ?? "sub")
        add("gateway.bearer.maximumLifetime", gateway.bearer?.maximumLifetime ?? GatewaySettings.usualLifetime)
        add(
            [
                "perUser", "perAddress", "wrongPerName", "wrongPerAddress", "sendsPerUser", "testsPerUser",
                "devicesPerUser",
            ],
            in: "gateway.rate"
        )
        add(["trustedProxies"], in: "gateway")
        add("gateway.connections", gateway.maximumConnections)
        add("gateway.connectionsPerAddress", gateway.connectionsPerAddress.map { "\($0)" } ?? "off")
        add("gateway.requestTimeout", gateway.requestTimeout)
        add("gateway.approvals", gateway.approvals.rawValue)
        add("reload.canary", configuration.reload.events)
        add("reload.announce", nil)
        for kind in CanaryTerms.kinds {
            add("reload.limits.\(kind.rawValue)", configuration.reload.limits[kind] ?? 0)
        }
        add("secure.keyFile", nil)
        add("log.level", configuration.log.level.rawValue)
        add("log.format", configuration.log.format.rawValue)
    }
}

extension SourceFormat {
    /// The word in `sources.*.format`.
    fileprivate var word: String {
        switch self {
        case .event: "event"
        case .ninjs: "ninjs"
        case .superdesk: "superdesk"
        case .ap: "ap"
        case .fields: "fields"
        }
    }
}

extension YAMLNode {
    /// The value of a key; `nil` if this is not a mapping or does not contain the key.
    fileprivate func member(_ key: String) -> YAMLNode? {
        guard case .mapping(let entries) = kind else { return nil }
        return entries.first { $0.key.scalarText == key }?.value
    }
}
