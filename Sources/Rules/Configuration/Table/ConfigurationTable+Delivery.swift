extension ConfigurationTable {
    /// Requests, the topics that workers write, the ledger and the port for operators.
    static let delivery: [ConfigurationRow] = [
        .group(
            "delivery",
            definition: "delivery",
            "The requests to the hubs: concurrency, timeouts, memory. The defaults suit one hub."
        ),
        .key(
            "delivery.concurrency",
            .number(1...1024),
            standard: .value("64"),
            isActive: true,
            """
            The maximum number of requests in flight, without those of `expressReserve`; the worker adapts to what \
            the hub accepts.
            """
        ),
        .key(
            "delivery.expressReserve",
            .number(0...1023),
            standard: .derived("8, and at most half of `concurrency`", "8"),
            example: "8",
            isActive: true,
            """
            How many further requests of flashes, kills and urgency 1 may be in flight, so that other news cannot \
            block them.
            """
        ),
        .key(
            "delivery.connections",
            .number(1...2047),
            standard: .derived("`concurrency` plus `expressReserve`", "72"),
            example: "72",
            """
            The maximum number of connections to the hub. With fewer, requests wait for a connection, also those of \
            flashes.
            """
        ),
        .key(
            "delivery.connectTimeout",
            .duration(from: "10ms", to: "10m"),
            standard: .derived("5s, and at most firstByteTimeout", "5s"),
            example: "5s",
            "How long opening a connection may take; at most firstByteTimeout."
        ),
        .key(
            "delivery.firstByteTimeout",
            .duration(from: "10ms", to: "10m"),
            standard: .derived("15s, and at most requestTimeout", "15s"),
            example: "15s",
            """
            The time from the first byte of the request to the first byte of the response; at most requestTimeout.
            """
        ),
        .key(
            "delivery.requestTimeout",
            .duration(from: "10ms", to: "10m"),
            standard: .derived("30s, and at least the other two", "30s"),
            example: "30s",
            isActive: true,
            "How long a whole request and its response may take."
        ),
        .key(
            "delivery.connectionIdleTime",
            .positiveDuration,
            standard: .value("60s"),
            isActive: true,
            """
            How long an idle connection may be reused. It must be shorter than the idle timeout of every proxy, \
            firewall and load balancer on the way. If the hub sends Keep-Alive: timeout=, the shorter time applies.
            """
        ),
        .key(
            "delivery.connectionAge",
            .positiveDuration,
            standard: .value("5m"),
            isActive: true,
            """
            How long a connection may be used, varied at random by up to a fifth. After a move of the hub's name to \
            another address, the last connection to the old address is closed within this time, and at once if the \
            hub's circuit opens.
            """
        ),
        .group(
            "delivery.retry",
            isInline: true,
            """
            Delays between attempts grow from base to cap, with jitter. The hub's Retry-After takes precedence.
            """
        ),
        .key(
            "delivery.retry.base",
            .duration(from: "1ms", to: "1h"),
            standard: .value("250ms"),
            isActive: true,
            "The first delay; at most cap."
        ),
        .key(
            "delivery.retry.cap",
            .duration(from: "1ms", to: "1h"),
            standard: .value("30s"),
            isActive: true,
            "The longest delay."
        ),
        .key(
            "delivery.outageAfter",
            .number(1...1000),
            standard: .value("5"),
            isActive: true,
            """
            The number of failures in a row that open the circuit: nothing is sent until the hub responds again, and \
            all events are kept.
            """
        ),
        .key(
            "delivery.longestPause",
            .positiveDuration,
            standard: .value("60s"),
            isActive: true,
            "The longest pause that the hub may ask for; a longer Retry-After is reduced to it."
        ),
        .key(
            "delivery.probeTag",
            .text(1...120),
            standard: .value("newsflash-probe"),
            isActive: true,
            "The tag of the probes that test an open circuit. No device may have it."
        ),
        .key(
            "delivery.readAhead",
            .size(atLeast: "1MiB"),
            standard: .value("8 MiB"),
            isActive: true,
            "Memory for records that were read and are not processed. If it is used up, reading pauses."
        ),
        .key(
            "delivery.scout",
            .flag,
            standard: .value("true"),
            isActive: true,
            """
            Whether the worker looks for flashes ahead of the consumer during a backlog (priority scan); it requires \
            the ledger. Unread records are then fetched twice.
            """
        ),
        .key(
            "delivery.storyMemory",
            .size(atLeast: "1MiB"),
            standard: .value("16 MiB"),
            isActive: true,
            """
            Memory for the facts of stories. The least recently used stories are removed, and read again from the \
            ledger when they are needed.
            """
        ),
        .key(
            "delivery.commitInterval",
            .duration(from: "1ms", to: "1m", because: "a crash repeats what is not committed"),
            standard: .value("200ms"),
            "How often processed offsets are committed."
        ),
        .key(
            "delivery.drain",
            .duration(
                from: "100ms",
                to: "4m",
                because: "the last commit needs time, and a group waits 5m for partitions to be given back"
            ),
            standard: .value("10s"),
            isActive: true,
            """
            How long a stop or a rebalance may wait for requests in flight. The supervisor that stops the worker \
            must wait longer.
            """
        ),
        .key(
            "delivery.caFile",
            .form(.path),
            standard: .derived("the system's"),
            example: "/etc/newsflash/hub-ca.pem",
            """
            The certificate authorities for the hub's certificate, PEM. The proxy is that of HTTPS_PROXY and \
            NO_PROXY; to http://:@HOST:PORT the worker authenticates with the machine's Kerberos ticket.
            """
        ),
        .group(
            "topics",
            """
            The topics that the worker writes; `newsflash topics apply` creates them. Two groups must never share a \
            ledger or a control topic, so both names contain kafka.group: {group}.
            """
        ),
        .key(
            "topics.outcomes",
            .form(.topic),
            standard: .value("newsflash.outcomes.v1"),
            isActive: true,
            "The final result of each event."
        ),
        .key(
            "topics.deadLetters",
            .form(.topic),
            standard: .value("newsflash.dead-letters.v1"),
            isActive: true,
            "Records that cannot be sent because of a fault of their own."
        ),
        .key(
            "topics.ledger",
            .form(.ledgerTopic),
            standard: .derived(
                "the group, the source's topic and ledger, joined by dots",
                "newsflash.newsroom.breaking.v1.ledger"
            ),
            example: "\"{group}.{topic}.ledger\"",
            isActive: true,
            """
            The facts of each story: compacted, with as many partitions as the source. {group} stands for \
            kafka.group, and {topic} for the source's topic; {topic} is required with several sources.
            """
        ),
        .key(
            "topics.control",
            .form(.controlTopic),
            standard: .derived("the group and control, joined by a dot", "newsflash.control"),
            example: "\"{group}.control\"",
            isActive: true,
            """
            Commands to pause and resume sources: compacted, one partition, which every worker reads completely. \
            {group} stands for kafka.group.
            """
        ),
        .group(
            "ledger",
            """
            The facts of all stories, and the events that wait. They survive restarts, and move from worker to \
            worker with the partitions.
            """
        ),
        .key(
            "ledger.use",
            .choice(["required", "off"]),
            standard: .value("required"),
            isActive: true,
            """
            Whether there is a ledger. required: the worker does not start without it. off (in quotes, because some \
            YAML parsers read a bare off as false): the facts end with the process, so a restart or a new worker may \
            send news twice, and waiting events are read again.
            """
        ),
        .key(
            "ledger.damaged",
            .choice(["refuse", "ignore"]),
            standard: .value("refuse"),
            isActive: true,
            """
            The handling of a partition whose ledger has a record that cannot be read. refuse: the partition is not \
            worked on. ignore: the record is skipped with a warning.
            """
        ),
        .key(
            "ledger.retention",
            .positiveDuration,
            standard: .value("30d"),
            isActive: true,
            "How long a story is kept after its last event; at least policy.maximumLife."
        ),
        .group(
            "admin",
            """
            The port for health, metrics and status. It has no password: keep it on loopback or in an internal \
            network. In a pod set NEWSFLASH_ADMIN_LISTEN to 0.0.0.0:9464, or to [::]:9464 on a cluster with IPv6 \
            only, because the kubelet connects from outside.
            """
        ),
        .key(
            "admin.listen",
            .form(.address),
            standard: .value("127.0.0.1:9464"),
            isActive: true,
            "Address and port, or off (in quotes, because some YAML parsers read a bare off as false)."
        ),
        .key(
            "admin.hosts",
            .form(.hostNames),
            standard: .derived("none", ""),
            example: "[newsflash.example.org]",
            """
            Further host names under which browsers may open the port. Not needed for addresses, localhost, the name \
            of the machine, names without a dot, and names below .local, .internal, .home.arpa and .svc; nor for \
            Prometheus, probes and other programs, whatever name they use.
            """
        ),
    ]
}
