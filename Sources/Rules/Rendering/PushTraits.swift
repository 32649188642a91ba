package import NewsEvents
import Signing
import StrictJSON
package import Timestamps

/// What lets a platform replace a push by its double or by a newer one of the same story, and forget one that is too old.
package struct PushTraits: Sendable, Equatable {
    /// The same for all pushes of a story: 16 hexadecimal digits, which is what the shortest platform takes (`X-WNS-Tag`).
    /// A digest, since a story's name may have any length and characters.
    package var collapseID: String {
        var digits: [UInt8] = []
        digits.append(addingCapacity: 16) { $0.append(hexadecimalDigitsOf: collapseNumber) }
        return String(decoding: digits, as: UTF8.self)
    }
    /// The number whose digits ``collapseID`` has.
    package let collapseNumber: UInt64
    /// When the news is too old to be shown.
    package let expires: Timestamp
    /// How long that is from the push on, in whole seconds; never negative.
    package let secondsToLive: Int64
    /// How much it disturbs.
    package let interruption: InterruptionLevel

    /// How long it is from the push on until the news is too old to be shown.
    package var timeToLive: Duration { .seconds(secondsToLive) }

    /// What goes with a push of an event.
    ///
    /// - Parameters:
    ///   - event: What is pushed.
    ///   - deadline: When its life ends.
    ///   - now: When it is pushed.
    ///   - interruption: How much it disturbs.
    package init(of event: borrowing NewsEvent, deadline: Timestamp, now: Timestamp, interruption: InterruptionLevel) {
        collapseNumber = SHA256Digest.beginning(of: event.story)
        expires = deadline
        // The difference is right even where it needs the 64th bit.
        let nanoseconds = deadline > now ? UInt64(bitPattern: deadline.nanoseconds &- now.nanoseconds) : 0
        secondsToLive = Int64(nanoseconds / 1_000_000_000)
        self.interruption = interruption
    }

    // What the properties of a template send say, for templates that hold them in their body: `collapse_id`; `expires`,
    // `ttl`; `interruption` as Apple's `interruption-level` wants it, and `sound`, which is empty for a push without one.

    /// In seconds since 1970, as `apns-expiration` wants it.
    var expiresText: String { String(max(0, expires.seconds)) }
    /// In seconds.
    var timeToLiveText: String { String(secondsToLive) }
    var sound: String { interruption.sound }

    /// Their names, in the order in which they are written.
    static let propertyNames = ["collapse_id", "expires", "ttl", "interruption", "sound"]
}
