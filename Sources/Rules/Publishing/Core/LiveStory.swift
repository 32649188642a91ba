import NewsEvents
import Timestamps

/// Names a story while an event of it is worked on.
package struct StoryID: Hashable, Sendable {
    var slot: Int32
    /// Tells one user of the slot from the next.
    var generation: UInt32
}

/// One story while an event of it is worked on.
///
/// An object, for the same reason as ``Event``; it belongs to the ``Stories`` of one machine.
final class LiveStory {
    let id: StoryID
    let key: Key
    /// What has ended, as the ledger says or is about to say.
    var record: StoryRecord
    /// Where the ledger has it; below zero for nowhere.
    var ledgerOffset: Int64
    /// The words that readers were told last, as long as they are at hand.
    var text: [EventText] = []
    /// Whether the words were asked for, found or not.
    var hasSoughtText = false
    /// Events that came while something of the story is being read; `nil` once it is known.
    var arrivals: [EventID]?
    /// What a late writer left in the ledger; to be united with what is read.
    var intruder: Intruder?
    /// Its events that are under way.
    var turns = Turns()
    /// What else keeps it at hand.
    var ties = Ties()

    init(_ id: StoryID, _ key: Key, record: StoryRecord, ledgerOffset: Int64) {
        self.id = id
        self.key = key
        self.record = record
        self.ledgerOffset = ledgerOffset
    }

    var name: String { key.name }
    var partition: PartitionID { key.partition }

    /// What a plan has to know of it; of a new story there is nothing, and nothing to copy.
    var known: StoryRecord? {
        guard record.isKnown else { return nil }
        var known = record
        if !text.isEmpty { known.text = text }
        return known
    }

    /// Whether nothing of it is under way, so that the table can have it back.
    var isIdle: Bool { turns.areOver && ties.areLoose && arrivals == nil }

    /// Whose turn it is.
    struct Turns {
        /// The event whose turn it is.
        var current: EventID?
        /// The event that follows. One is enough: whoever comes later takes its place.
        var next: EventID?

        /// The event that was admitted last.
        var newest: EventID? { next ?? current }
        var areOver: Bool { current == nil && next == nil }
    }

    /// What is not done with a story.
    struct Ties {
        /// Records of this story that are not confirmed.
        var writes = 0
        /// Ends without a push that the ledger does not know yet.
        var unremembered = 0
        /// Steps that are not done with it, so that it must stay at hand though nothing else is under way.
        var holders = 0

        /// Takes note of a list of records that is on its way.
        ///
        /// - Parameter isAwaited: Whether it tells the ledger of an end without a push.
        mutating func noteWrite(isAwaited: Bool) {
            writes += 1
            if isAwaited { unremembered += 1 }
        }

        /// Whether nothing keeps it at hand: what is unremembered is being written.
        var areLoose: Bool { writes == 0 && holders == 0 }
    }

    /// A record in a room of its own, since hardly any story has one.
    final class Intruder: Sendable {
        let record: StoryRecord

        init(_ record: StoryRecord) {
            self.record = record
        }
    }

    /// The words that readers were told last; empty where only the source topic has them.
    var toldText: [EventText] { text.isEmpty ? record.text : text }

    /// A story's name in its partition, hashed once.
    struct Key: Equatable {
        let partition: PartitionID
        let name: String
        let nameHash: UInt64

        init(_ name: String, of partition: PartitionID) {
            self.partition = partition
            self.name = name
            nameHash = ByteHash.of(name)
        }
    }
}
