public import Timestamps

/// The outcome of a call that registers a device or removes its registration.
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
    /// The device is registered as requested.
    case registered
    /// The same was registered at that time, less than a day ago, so nothing was sent.
    case unchanged(since: Timestamp)
    /// It failed for now, for a reason that passes, or was cancelled. It is stored, and tried again by
    /// ``NewsSubscriber/retry()`` and at the next launch.
    case pending(SubscriptionError)
    /// The choice is stored. The device is registered when ``NewsSubscriber/register(_:)`` provides its channel.
    case waitingForDevice
    /// The device has no registration: nothing is chosen, or the registration was removed.
    case notRegistered
}

/// The stored status of the device's registration, for a settings screen.
///
/// ```swift
/// if case .registered(let time) = try await news.status() { label.text = "as of \(time)" }
/// ```
public enum SubscriptionStatus: Sendable, Equatable {
    /// The device is not registered.
    case notRegistered
    /// The device was registered at that time.
    case registered(at: Timestamp)
    /// A registration or its removal has been waiting since then for a connection or a busy hub.
    case pending(since: Timestamp)
}
