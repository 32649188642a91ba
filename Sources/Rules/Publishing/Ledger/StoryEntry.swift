import Timestamps

/// What a table holds of every story, be its record in memory or not.
struct StoryEntry: Sendable {
    /// Of the story's bytes; stands for the story once its record is evicted.
    var hash: UInt64
    /// The offset of the record in the ledger.
    var ledgerOffset: Int64
    /// Where the compact record lies.
    var place: StoryArena.Place = .none
    /// When the story changed, as seconds since the epoch; ``never`` while something of it waits.
    var seconds: UInt32
    /// Index in the queue of expiries.
    var rank: UInt32 = 0
    private var progress: UInt32

    /// Later than every time: the story must not be forgotten.
    static let never = UInt32.max

    init(hash: UInt64, ledgerOffset: Int64, through: Int64, isKilled: Bool, changedAt: Timestamp, isUnfinished: Bool) {
        self.hash = hash
        self.ledgerOffset = ledgerOffset
        self.progress = Self.progress(through: through, isKilled: isKilled)
        self.seconds = isUnfinished ? Self.never : Self.seconds(of: changedAt)
    }

    /// An instant in whole seconds, held at the ends.
    static func seconds(of instant: Timestamp) -> UInt32 {
        UInt32(clamping: min(instant.seconds, Int64(never) - 1))
    }

    /// Whether a record that came later knows less: it went less far in the source, or forgets a kill.
    ///
    /// Compares the lowest 31 bits of offsets, which is enough for stories that are less than a thousand million records
    /// behind.
    func isAhead(ofThrough through: Int64, isKilled: Bool) -> Bool {
        let other = Self.progress(through: through, isKilled: isKilled)
        return (other >> 1 &- progress >> 1) & 0x4000_0000 != 0 || progress & 1 > other & 1
    }

    private static func progress(through: Int64, isKilled: Bool) -> UInt32 {
        UInt32(truncatingIfNeeded: through) << 1 | (isKilled ? 1 : 0)
    }
}
