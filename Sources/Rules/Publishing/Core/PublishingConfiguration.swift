package import NotificationHubs

/// Bounds and policies of the publishing core.
package struct PublishingConfiguration: Sendable, Equatable {
    /// An estimate of an event's memory besides its record until it is processed: the decoded event, its requests and its table
    /// entries. It is high, so that the read-ahead limits memory even if events are small.
    package static let bytesBesideRecord = 4096

    package var policy: AdmissionPolicy
    package var hubs: [HubRole]
    package var limits: SendLimiter.Limits
    package var retry: RetryPolicy
    /// How often a request is attempted.
    package var attempts: AttemptLimits
    /// The request that tests a hub while its circuit is open.
    package var probe: HubProbe
    /// The bytes of records that are read and not processed; above this bound, reading stops.
    package var readAheadBytes: Int
    /// The minimum time between two commits.
    package var commitInterval: Duration
    /// The memory for stories, in bytes; other stories are read from the ledger when needed.
    package var storyMemoryBytes: Int
    /// How long a story is kept after its last event.
    package var storyRetention: Duration
    /// Whether the ledger is used; without it, a restart or a rebalance loses the facts.
    package var keepsLedger: Bool
    /// The minimum time between two batches of one partition of the ledger.
    package var ledgerInterval: Duration
    /// The number of requests that a crash may repeat.
    package var exposureLimit: RiskLimit
    /// How long an event may fail before the ledger keeps it, so that its offset is processed.
    package var parkAfter: Duration
    /// The addresses of the hubs by their labels, for the ledger.
    package var hubAddresses: HubAddresses
    /// Digest of the current mapping and texts, for outcomes and dead letters.
    package var digest: String

    package init(
        policy: AdmissionPolicy = AdmissionPolicy(),
        hubs: [HubRole] = [HubRole("main")],
        limits: SendLimiter.Limits = SendLimiter.Limits(),
        retry: RetryPolicy = RetryPolicy(),
        attempts: AttemptLimits = AttemptLimits(),
        probe: HubProbe = HubProbe(),
        readAheadBytes: Int = 8 << 20,
        commitInterval: Duration = .milliseconds(200),
        storyMemoryBytes: Int = 16 << 20,
        storyRetention: Duration = .seconds(30 * 86_400),
        keepsLedger: Bool = true,
        ledgerInterval: Duration = .milliseconds(1),
        exposureLimit: RiskLimit = RiskLimit(),
        parkAfter: Duration = .seconds(10),
        hubAddresses: HubAddresses = HubAddresses(),
        digest: String = ""
    ) {
        self.policy = policy
        self.hubs = hubs
        self.limits = limits
        self.retry = retry
        self.attempts = attempts
        self.probe = probe
        self.readAheadBytes = readAheadBytes
        self.commitInterval = commitInterval
        self.storyMemoryBytes = storyMemoryBytes
        self.storyRetention = storyRetention
        self.keepsLedger = keepsLedger
        self.ledgerInterval = ledgerInterval
        self.exposureLimit = exposureLimit
        self.parkAfter = parkAfter
        self.hubAddresses = hubAddresses
        self.digest = digest
    }
}
