package import Routing

/// Who gets one request: at which hub, in which form, and by which tags.
///
/// An object, made once for a list of categories: each request to them and the ledger's note of it name the same.
package final class Recipients: Sendable, Equatable {
    /// The hub as the ledger calls it.
    package let hub: String
    /// `template`, or the format of a native payload such as `apns`.
    package let format: String
    package let audience: PlannedAudience

    package init(hub: String, format: String, audience: PlannedAudience) {
        self.hub = hub
        self.format = format
        self.audience = audience
    }

    /// Whether both are the same hub, format, audience and language; the categories may have other names by now.
    func areSame(as other: Recipients) -> Bool {
        self === other
            || hub == other.hub && format == other.format && audience.expression == other.audience.expression
                && audience.locale == other.audience.locale
    }

    package static func == (left: Recipients, right: Recipients) -> Bool {
        left === right || left.hub == right.hub && left.format == right.format && left.audience == right.audience
    }
}
