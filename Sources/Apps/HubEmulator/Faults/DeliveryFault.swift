package import NotificationHubs

/// A delivery that goes wrong on purpose: the send is accepted, and a platform refuses it for some device.
package struct DeliveryFault: Sendable, Equatable {
    /// The names that telemetry has for what becomes of a delivery (`get-notification-message-telemetry`; `NotFound` was
    /// seen besides).
    package static let outcomes: [String] = [
        "AbandonedNotificationMessages", "BadChannel", "ChannelDisconnected", "ChannelThrottled", "Dropped",
        "ExpiredChannel", "InvalidCredentials", "InvalidNotificationFormat", "InvalidNotificationSize", "NoTargets",
        "NotFound", "PnsInterfaceError", "PnsServerError", "PnsUnavailable", "PnsUnreachable", "Skipped", "Success",
        "Throttled", "UnknownError", "WrongToken",
    ]

    /// What becomes of the delivery, one of ``outcomes``. `Success` saves those it concerns from the faults after it.
    package var outcome: String
    /// The share of deliveries that it strikes, from 0 to 1.
    package var rate: Double
    /// Only deliveries by this platform.
    package var platform: PushPlatform?
    /// Only deliveries to this handle, as the device wrote it; hexadecimal ones in any case.
    package var handle: String?

    /// Makes a fault.
    ///
    /// - Parameters:
    ///   - outcome: What becomes of the delivery.
    ///   - rate: The share of deliveries that it strikes.
    ///   - platform: Only deliveries by this platform.
    ///   - handle: Only deliveries to this handle.
    package init(outcome: String, rate: Double = 1, platform: PushPlatform? = nil, handle: String? = nil) {
        self.outcome = outcome
        self.rate = rate
        self.platform = platform
        self.handle = handle
    }
}

/// The faults of deliveries in force, asked for each delivery of a fan-out.
package struct DeliveryFaults: Sendable, Equatable {
    /// The first that strikes decides.
    package var list: [DeliveryFault]

    /// Makes a list.
    ///
    /// - Parameter list: Empty for none.
    package init(_ list: [DeliveryFault] = []) {
        self.list = list
    }

    /// What a fault makes of a delivery.
    ///
    /// - Parameters:
    ///   - platform: Whom the delivery goes to.
    ///   - handle: The device's handle there.
    ///   - generator: Asked once for each fault that concerns the delivery and has a rate below 1.
    /// - Returns: The outcome's name, or nothing where no fault strikes.
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
        // The service stores Apple's tokens in capitals.
        return wanted == handle || platform == .apns && wanted.lowercased() == handle.lowercased()
    }
}

extension Double {
    /// Whether chance strikes; a share of 1 asks nobody.
    func strikes(using generator: inout some RandomNumberGenerator) -> Bool {
        self >= 1 || Double.random(in: 0..<1, using: &generator) < self
    }
}
