package import NewsEvents
import Signing
package import Timestamps

/// What lets a platform replace a push by its double or by a newer one of the same story, and forget one that is too old.
package struct PushTraits: Sendable, Equatable {
    /// The same for all pushes of a story: 16 hexadecimal digits, which is what the shortest platform takes (`X-WNS-Tag`).
    /// A digest, since a story's name may have any length and characters.
    package var collapseID: String
    /// When the news is too old to be shown.
    package var expires: Timestamp
    /// How long that is from the push on; never negative.
    package var timeToLive: Duration
    /// How much it disturbs.
    package var interruption: InterruptionLevel

    /// What goes with a push of an event.
    ///
    /// - Parameters:
    ///   - event: What is pushed.
    ///   - deadline: When its life ends.
    ///   - now: When it is pushed.
    ///   - interruption: How much it disturbs.
    package init(of event: NewsEvent, deadline: Timestamp, now: Timestamp, interruption: InterruptionLevel) {
        let digest = SHA256Digest.beginning(of: event.story)
        collapseID = unsafe String(unsafeUninitializedCapacity: 16) { text in
            for place in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: digest >> UInt64(60 - 4 * place) & 15)
                unsafe text[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            }
            return 16
        }
        expires = deadline
        timeToLive = max(.zero, deadline - now)
        self.interruption = interruption
    }

    // What the properties of a template send say, for templates that hold them in their body: `collapse_id`; `expires`,
    // `ttl`; `interruption` as Apple's `interruption-level` wants it, and `sound`, which is empty for a push without one.

    /// In seconds since 1970, as `apns-expiration` wants it.
    var expiresText: String { String(max(0, expires.seconds)) }
    /// In seconds.
    var timeToLiveText: String { String(timeToLive.components.seconds) }
    var sound: String { interruption.sound }

    /// Their names, in the order in which they are written.
    static let propertyNames = ["collapse_id", "expires", "ttl", "interruption", "sound"]
}
