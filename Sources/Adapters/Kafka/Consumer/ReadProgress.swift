/// How far one of our partitions was read.
package struct ReadProgress: Sendable, Equatable {
    /// The offset after the last message that was handed over; before the first, the offset where reading began. `nil` while
    /// that is not known.
    private var handedOver: Int64?
    /// The offset that was reached after that message without another one: what lies between is no message, such as the end
    /// of a transaction.
    private var passed: Int64?

    /// Begins to read.
    ///
    /// - Parameter start: The offset where reading begins; `nil` if it is not known yet.
    package init(from start: Int64?) {
        handedOver = start
    }

    /// The offset of the next message, or one before it; `nil` while it is not known where reading began. A message that was
    /// fetched and not handed over is not before it.
    package var position: Int64? { [handedOver, passed].compactMap(\.self).max() }

    /// Records that messages were handed over.
    ///
    /// - Parameter offset: The offset after the last of them.
    package mutating func handedOver(upTo offset: Int64) {
        handedOver = offset
    }

    /// Records that the next message waits to be handed over.
    ///
    /// - Parameter offset: The offset of the message.
    package mutating func waits(at offset: Int64) {
        if position == nil { handedOver = offset }
    }

    /// Records that all messages below an offset were handed over.
    package mutating func passed(to offset: Int64) {
        passed = offset
    }
}
