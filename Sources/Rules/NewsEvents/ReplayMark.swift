package import Timestamps

/// What marks an event as told again by a person's order: which replay it belongs to, and whom it may reach.
///
/// An object, since events are copied often and hardly any has one.
package final class ReplayMark: Sendable, Equatable {
    /// Names the replay; the same for all events of it.
    package let id: String
    /// The partition and the offset of the record that is replayed, in the topic of its copy.
    package let partition: Int32
    package let offset: Int64
    /// The one tag whose devices get it, in place of all readers; `nil` where readers get it.
    package let onlyTag: String?
    /// Whether what was told already may be told once more.
    package let isAgain: Bool
    /// When the order was given.
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

    /// Where the original lies, such as `3@48120`.
    package var origin: String { "\(partition)@\(offset)" }

    /// From when on the event's life counts; `nil` for from its publication.
    ///
    /// An order for one tag, or to tell a named story again, is a decision of now. What is told once more because it failed is
    /// as old as it is.
    package var lifeStart: Timestamp? { onlyTag != nil || isAgain ? at : nil }

    package static func == (left: ReplayMark, right: ReplayMark) -> Bool {
        left === right
            || left.id == right.id && left.partition == right.partition && left.offset == right.offset
                && left.onlyTag == right.onlyTag && left.isAgain == right.isAgain && left.at == right.at
    }
}
