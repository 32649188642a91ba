package import NotificationHubs

/// A fault that applies to a delivery: the send is accepted, but a platform rejects it for some devices.
package struct DeliveryFault: Sendable, Equatable {
    /// The service's names for the outcome of a delivery (`get-notification-message-telemetry`; `NotFound` was also observed).
    package static let outcomes: [String] = [
        "AbandonedNotificationMessages", "BadChannel", "ChannelDisconnected", "ChannelThrottled", "Dropped",
        "ExpiredChannel", "InvalidCredentials", "InvalidNotificationFormat", "InvalidNotificationSize", "NoTargets",
        "NotFound", "PnsInterfaceError", "PnsServerError", "PnsUnavailable", "PnsUnreachable", "Skipped", "Success",
        "Throttled", "UnknownError", "WrongToken",
    ]

    /// The outcome of the delivery, one of ``outcomes``. `Success` exempts matching deliveries from the faults after it.
    package var outcome: String
    /// The share of matching deliveries that it affects, from 0 to 1.
    package var rate: Double
    /// Restricts the fault to a platform.
    package var platform: PushPlatform?
    /// Restricts the fault to a handle, as registered by the device; APNs tokens are compared case-insensitively.
    package var handle: String?

    /// Creates a fault.
    ///
    /// - Parameters:
    ///   - outcome: The outcome of the delivery.
    ///   - rate: The share of matching deliveries that it affects, from 0 to 1.
    ///   - platform: Restricts the fault to a platform.
    ///   - handle: Restricts the fault to a handle.
    package init(outcome: String, rate: Double = 1, platform: PushPlatform? = nil, handle: String? = nil) {
        self.outcome = outcome
        self.rate = rate
        self.platform = platform
        self.handle = handle
    }
}

/// The active delivery faults, evaluated for each delivery of a fan-out.
package struct DeliveryFaults: Sendable, Equatable {
    /// The faults; the first one that applies determines the outcome.
    package var list: [DeliveryFault]

    /// Creates a list.
    ///
    /// - Parameter list: The faults; empty for none.
    package init(_ list: [DeliveryFault] = []) {
        self.list = list
    }

    /// Returns the outcome that a fault sets for a delivery.
    ///
    /// - Parameters:
    ///   - platform: The push service of the device.
    ///   - handle: The handle of the device.
    ///   - generator: Used once for each matching fault with a rate below 1.
    /// - Returns: The name of the outcome; `nil` if no fault applies.
    package func outcome(
        platform: PushPlatform,
        handle: String,
        using generator: inout some RandomNumberGenerator
    ) -> String? {
        list.first { $0.concerns(platform, handle) && $0.rate.strikes(using: &generator) }?.outcome
    }
}

extension DeliveryFault {
    fileprivate func concerns(_ platform: PushPlatform, _ handle: String) -> Bool {
        if let wanted = self.platform, wanted != platform { return false }
        guard let wanted = self.handle else { return true }
        // The service stores APNs tokens in upper case.
        return wanted == handle || platform == .apns && wanted.lowercased() == handle.lowercased()
    }
}

extension Double {
    /// Whether a fault with this rate applies; a rate of 1 uses no random number.
    func strikes(using generator: inout some RandomNumberGenerator) -> Bool {
        self >= 1 || Double.random(in: 0..<1, using: &generator) < self
    }
}
