/// Bounds and policies of the publishing machine.
package struct PublishingConfiguration: Sendable, Equatable {
    package var policy: GatePolicy
    package var limits: Governor.Limits
    package var retry: RetryPolicy
    /// Bytes of records that are read and not done; past it reading stops.
    package var readAheadBytes: Int
    /// The least time between two commits.
    package var commitInterval: Duration
    /// Bytes of what is known of stories; past it the story untouched for longest goes first.
    package var storyMemoryBytes: Int
    /// How many stories are remembered.
    package var rememberedStories: Int
    /// Digest of the mapping and the texts in force, for outcomes and dead letters.
    package var digest: String

    package init(
        policy: GatePolicy = GatePolicy(),
        limits: Governor.Limits = Governor.Limits(),
        retry: RetryPolicy = RetryPolicy(),
        readAheadBytes: Int = 32 << 20,
        commitInterval: Duration = .milliseconds(200),
        storyMemoryBytes: Int = 32 << 20,
        rememberedStories: Int = 50_000,
        digest: String = ""
    ) {
        self.policy = policy
        self.limits = limits
        self.retry = retry
        self.readAheadBytes = readAheadBytes
        self.commitInterval = commitInterval
        self.storyMemoryBytes = storyMemoryBytes
        self.rememberedStories = rememberedStories
        self.digest = digest
    }
}
