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

    /// What goes with a push of an event.
    ///
    /// - Parameters:
    ///   - event: What is pushed.
    ///   - deadline: When its life ends.
    ///   - now: When it is pushed.
    package init(of event: NewsEvent, deadline: Timestamp, now: Timestamp) {
        collapseID = SHA256Digest.hash(of: Array(event.story.utf8)).prefix(8)
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        expires = deadline
        timeToLive = max(.zero, deadline - now)
    }

    /// The properties of a template send, for templates that hold them in their body: name and value.
    ///
    /// `collapse_id`; `expires` in seconds since 1970, as `apns-expiration` wants it; `ttl` in seconds.
    var properties: [(name: String, value: String)] {
        [
            ("collapse_id", collapseID), ("expires", String(max(0, expires.seconds))),
            ("ttl", String(timeToLive.components.seconds)),
        ]
    }

    /// The names of ``properties``.
    static let propertyNames = ["collapse_id", "expires", "ttl"]
}
