import NewsEvents
package import Timestamps

extension StoryRecord {
    /// How many told acts before the latest a story remembers.
    package static let longestPast = 16

    /// An object, since records are copied often and hardly any has one.
    final class Past: Sendable, Equatable {
        let earlier: [UInt64]
        let pushes: [Push]

        private init(earlier: [UInt64], pushes: [Push]) {
            self.earlier = earlier
            self.pushes = pushes
        }

        /// `nil` where there is nothing.
        static func of(earlier: [UInt64], pushes: [Push]) -> Past? {
            earlier.isEmpty && pushes.isEmpty ? nil : Past(earlier: earlier, pushes: pushes)
        }

        static func == (left: Past, right: Past) -> Bool {
            left === right || (left.earlier == right.earlier && left.pushes == right.pushes)
        }
    }

    /// One event that readers were told, for caps and brakes.
    package struct Push: Sendable, Equatable {
        /// How many a story remembers at most.
        package static let maximumCount = 32

        /// When the hub took its first request.
        package var at: Timestamp
        package var source: String
        /// Of its words alone, to find the same ones elsewhere; see ``WordsDigest``.
        package var words: UInt64
        /// The newsroom's categories that it reached.
        package var categories: [String]
        /// Whether it made itself heard.
        package var isLoud: Bool

        package init(at: Timestamp, source: String, words: UInt64, categories: [String], isLoud: Bool) {
            self.at = at
            self.source = source
            self.words = words
            self.categories = categories
            self.isLoud = isLoud
        }
    }

    /// Notes that an act was told before the latest, so that it is known should it come again.
    mutating func noteEarlier(_ name: UInt64) {
        guard !earlier.contains(name) else { return }
        if earlier.count >= Self.longestPast { earlier.removeFirst() }
        earlier.append(name)
    }

    /// Remembers a push; what nobody counts any more is forgotten.
    ///
    /// - Parameters:
    ///   - push: The latest.
    ///   - oldest: What lies before it counts for no cap and no brake.
    mutating func recordPush(_ push: Push, forgettingBefore oldest: Timestamp) {
        pushes.removeAll { $0.at < oldest }
        if pushes.count >= Push.maximumCount { pushes.removeFirst() }
        pushes.append(push)
    }
}

extension NewsEvent {
    /// Stands for id and source; the same in every process, so that it may be stored.
    var nameSum: UInt64 { Self.sum(id: id, source: source) }

    /// Stands for being told again by an order; `nil` for an event that is no such.
    var repeatedAct: UInt64? {
        guard let replay, replay.isAgain else { return nil }
        return ByteSum.step(ByteSum.of("replay \(replay.id)"), nameSum)
    }

    static func sum(id: String, source: String) -> UInt64 { ByteSum.step(ByteSum.of(source), ByteSum.of(id)) }
}

extension ByteSum {
    /// The sum over the bytes of a text.
    static func of(_ text: String) -> UInt64 { of(text.utf8.span) }
}
