public import Timestamps

/// What became of a wish to be registered.
///
/// ```swift
/// switch try await news.subscribe(to: [.world]) {
/// case .registered, .unchanged: show("Subscribed!")
/// case .pending: show("You will be subscribed as soon as you are online.")
/// case .waitingForDevice: break       // until the platform brings a device token
/// case .notRegistered: show("No more news.")
/// }
/// ```
public enum SubscriptionOutcome: Sendable, Equatable {
    /// The device is registered as it was wished.
    case registered
    /// The same was registered at that time, less than a day ago: nothing was sent.
    case unchanged(since: Timestamp)
    /// It could not be done now, for a reason that passes. It is remembered, and tried again by ``NewsSubscriber/retry()`` and
    /// at the next launch.
    case pending(SubscriptionError)
    /// The choice is stored. The device is registered once ``NewsSubscriber/register(_:)`` brings its channel.
    case waitingForDevice
    /// The device has no registration: nothing is chosen, or it was taken off.
    case notRegistered
}

/// What the device knows of its registration, for a screen of settings.
///
/// ```swift
/// if case .registered(let time) = try await news.status() { label.text = "as of \(time)" }
/// ```
public enum SubscriptionStatus: Sendable, Equatable {
    /// There is none.
    case notRegistered
    /// It was registered at that time.
    case registered(at: Timestamp)
    /// A registration, or the end of one, has been waiting since then for a connection or a busy hub.
    case pending(since: Timestamp)
}
