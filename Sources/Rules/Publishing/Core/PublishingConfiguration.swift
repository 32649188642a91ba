package import NotificationHubs

/// Bounds and policies of the publishing machine.
package struct PublishingConfiguration: Sendable, Equatable {
    package var policy: GatePolicy
    package var hubs: [HubRole]
    package var limits: Governor.Limits
    package var retry: RetryPolicy
    /// How often a request is tried.
    package var attempts: AttemptLimits
    /// What asks a hub whether it takes requests while its circuit is open.
    package var probe: HubProbe
    /// Bytes of records that are read and not done; past it reading stops.
    package var readAheadBytes: Int
    /// The least time between two commits.
    package var commitInterval: Duration
    /// What the stories may take in memory; what does not fit is read from the ledger when it is needed.
    package var storyMemoryBytes: Int
    /// How long a story is known after the last event of it.
    package var storyRetention: Duration
    /// Whether there is a ledger; without one the worker forgets with each restart and rebalance.
    package var keepsLedger: Bool
    /// The least time between two batches of one partition of the ledger.
    package var ledgerInterval: Duration
    /// How many requests a crash may repeat.
    package var exposureLimit: ExposureLimit
    /// How long an event may fail before the ledger keeps it, so that its offset is done.
    package var parkAfter: Duration
    /// The addresses of the hubs by their labels, for the ledger.
    package var hubAddresses: HubAddresses
    /// Digest of the mapping and the texts in force, for outcomes and dead letters.
    package var digest: String

    package init(
        policy: GatePolicy = GatePolicy(),
        hubs: [HubRole] = [HubRole("main")],
        limits: Governor.Limits = Governor.Limits(),
        retry: RetryPolicy = RetryPolicy(),
        attempts: AttemptLimits = AttemptLimits(),
        probe: HubProbe = HubProbe(),
        readAheadBytes: Int = 8 << 20,
        commitInterval: Duration = .milliseconds(200),
        storyMemoryBytes: Int = 16 << 20,
        storyRetention: Duration = .seconds(30 * 86_400),
        keepsLedger: Bool = true,
        ledgerInterval: Duration = .milliseconds(1),
        exposureLimit: ExposureLimit = ExposureLimit(),
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
