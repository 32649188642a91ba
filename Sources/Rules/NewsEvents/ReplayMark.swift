package import Timestamps

/// The mark of an event that an operator replays: which replay it belongs to, and whom it may reach.
///
/// An object, because events are copied often and few have one.
package final class ReplayMark: Sendable, Equatable {
    /// Identifies the replay; the same for all events of it.
    package let id: String
    /// The partition and the offset of the replayed record, in the same topic as its copy.
    package let partition: Int32
    package let offset: Int64
    /// The only tag whose devices are notified; `nil` for all subscribers of the event.
    package let onlyTag: String?
    /// Whether a notification that was accepted before may be repeated.
    package let isAgain: Bool
    /// The time of the command.
    package let at: Timestamp

    package init(
        id: String,
        partition: Int32,
        offset: Int64,
        onlyTag: String? = nil,
        isAgain: Bool = false,
        at: Timestamp
    ) {
        self.id = id
        self.partition = partition
        self.offset = offset
        self.onlyTag = onlyTag
        self.isAgain = isAgain
        self.at = at
    }

    /// The position of the original, such as `3@48120`.
    package var origin: String { "\(partition)@\(offset)" }

    /// The start of the event's lifetime; `nil` for its publication.
    ///
    /// A replay for one tag or of a named story is a new decision, so its lifetime starts with the command. A replay after a
    /// failure does not extend the lifetime.
    package var lifeStart: Timestamp? { onlyTag != nil || isAgain ? at : nil }

    package static func == (left: ReplayMark, right: ReplayMark) -> Bool {
        left === right
            || left.id == right.id && left.partition == right.partition && left.offset == right.offset
                && left.onlyTag == right.onlyTag && left.isAgain == right.isAgain && left.at == right.at
    }
}
