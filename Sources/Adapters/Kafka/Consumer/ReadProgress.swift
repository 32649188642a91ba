/// How far one of our partitions was read, and how far it may be committed.
package struct ReadProgress: Sendable, Equatable {
    /// The offset after the last message that was handed over; before the first, the offset where reading began. `nil` if that
    /// is unknown.
    private var handedOver: Int64?
    /// The offset that was reached after that message without another one. The records between are not messages, such as the
    /// end of a transaction.
    private var passed: Int64?
    /// The offset below which the owner has processed all messages: the last one that it asked to commit; before that, the
    /// offset where reading began.
    private var processed: Int64?
    /// Whether messages were handed over.
    package private(set) var hasRead = false

    /// Begins to read.
    ///
    /// - Parameter start: The offset where reading begins; `nil` if it is still unknown.
    package init(from start: Int64?) {
        handedOver = start
        processed = start
    }

    /// The offset of the next message, or one before it; `nil` if it is unknown where reading began. A fetched message that was
    /// not handed over is not before it.
    package var position: Int64? { [handedOver, passed].compactMap(\.self).max() }

    /// Whether nothing was read and reading began at offset zero, or at the oldest record.
    package var isAtBeginning: Bool { !hasRead && position == 0 }

    /// Records that messages were handed over.
    ///
    /// - Parameter offset: The offset after the last of them.
    package mutating func handedOver(upTo offset: Int64) {
        handedOver = offset
        hasRead = true
    }

    /// Records that the next message waits to be handed over.
    package mutating func waits(at offset: Int64) {
        if position == nil { handedOver = offset }
    }

    /// Records that all messages below an offset were handed over.
    package mutating func passed(to offset: Int64) {
        passed = offset
    }

    /// Records which messages are processed.
    ///
    /// - Parameter offset: The offset that the owner asks to commit, after the last processed message.
    /// - Returns: The offset to commit, which is higher if no message is in between.
    package mutating func processed(upTo offset: Int64) -> Int64 {
        processed = offset
        return committableEnd ?? offset
    }

    /// The offset after records that are not messages, if all messages before it are processed and the owner asked for less.
    package var committableEnd: Int64? {
        guard let passed, passed > processed ?? 0 else { return nil }
        guard let handedOver else { return passed }
        return processed.map { $0 >= handedOver } ?? false ? passed : nil
    }
}
