package import NewsflashEvents
import NewsflashSigning
import NewsflashStrictJSON
package import NewsflashTimestamps

/// The properties by which a platform replaces a push with its duplicate or with a newer one of the same story, and drops one
/// that is too old.
package struct PushTraits: Sendable, Equatable {
    /// The same for all pushes of a story: 16 hexadecimal digits, the limit of the strictest platform (`X-WNS-Tag`). It is a
    /// digest, because a story's name may have any length and characters.
    package var collapseID: String {
        var digits: [UInt8] = []
        digits.append(addingCapacity: 16) { $0.append(hexadecimalDigitsOf: collapseNumber) }
        return String(decoding: digits, as: UTF8.self)
    }
    /// The number whose hexadecimal digits are ``collapseID``.
    package let collapseNumber: UInt64
    /// The time at which the news becomes too old to be shown.
    package let expires: Timestamp
    /// The time from the push until ``expires`` in whole seconds; never negative.
    package let secondsToLive: Int64
    /// The interruption level.
    package let interruption: InterruptionLevel

    /// The time from the push until ``expires``.
    package var timeToLive: Duration { .seconds(secondsToLive) }

    /// Creates the traits of a push.
    package init(of event: borrowing NewsEvent, deadline: Timestamp, now: Timestamp, interruption: InterruptionLevel) {
        collapseNumber = SHA256Digest.beginning(of: event.story)
        expires = deadline
        // The difference is correct even if it needs the 64th bit.
        let nanoseconds = deadline > now ? UInt64(bitPattern: deadline.nanoseconds &- now.nanoseconds) : 0
        secondsToLive = Int64(nanoseconds / 1_000_000_000)
        self.interruption = interruption
    }

    // Values of the properties of a template send, for templates that contain them in their body: `collapse_id`; `expires`,
    // `ttl`; `interruption` in the form of Apple's `interruption-level`, and `sound`, which is empty for a push without
    // sound.

    /// The expiry in seconds since 1970, as in `apns-expiration`.
    var expiresText: String { String(max(0, expires.seconds)) }
    /// The lifetime in seconds.
    var timeToLiveText: String { String(secondsToLive) }
    var sound: String { interruption.sound }

    /// The names of the properties, in the order in which they are written.
    static let propertyNames = ["collapse_id", "expires", "ttl", "interruption", "sound"]
}
