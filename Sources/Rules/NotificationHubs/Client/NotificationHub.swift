public import NewsflashTimestamps
public import NotificationHubsCore

/// The calls of a hub that most programs need. Depend on it instead of ``NotificationHubClient``, and your tests need no hub.
///
/// ```swift
/// struct Alarm {
///     var hub: any NotificationHub
///
///     func raise(_ text: String) async throws {
///         try await hub.send(.template(properties: ["text": text]), to: .broadcast)
///     }
/// }
///
/// actor RecordingHub: NotificationHub {
///     var sent: [HubMessage] = []
///     func send(_ message: HubMessage, to audience: HubAudience) async throws(HubError) -> HubAcceptance {
///         sent.append(message)
///         return HubAcceptance(notificationID: "\(sent.count)")
///     }
/// }
/// ```
///
/// Each requirement except ``send(_:to:)`` has a default, which throws ``HubErrorCode/notAccepted`` with status 501. So a test
/// double implements only what it is asked for.
public protocol NotificationHub: Sendable {
    /// Sends a message and waits until the hub accepts it.
    @discardableResult
    func send(_ message: HubMessage, to audience: HubAudience) async throws(HubError) -> HubAcceptance

    /// Schedules a message for a later time.
    func schedule(
        _ message: HubMessage,
        to audience: HubAudience,
        at time: Timestamp
    ) async throws(HubError) -> HubAcceptance

    /// Cancels a scheduled message.
    func cancelScheduled(_ id: String) async throws(HubError)

    /// Reads an installation; `nil` if it does not exist.
    func installation(_ id: String) async throws(HubError) -> Installation?

    /// Creates or replaces an installation.
    func putInstallation(_ installation: Installation) async throws(HubError)

    /// Changes parts of an installation.
    func patchInstallation(_ id: String, _ patch: InstallationPatch) async throws(HubError)

    /// Deletes an installation, if it exists.
    func deleteInstallation(_ id: String) async throws(HubError)
}

extension NotificationHubClient: NotificationHub {}

extension NotificationHub {
    /// Throws an error with status 501.
    public func schedule(
        _ message: HubMessage,
        to audience: HubAudience,
        at time: Timestamp
    ) async throws(HubError) -> HubAcceptance {
        throw .unimplemented(.scheduleSend)
    }

    /// Throws an error with status 501.
    public func cancelScheduled(_ id: String) async throws(HubError) { throw .unimplemented(.cancelScheduledSend) }

    /// Throws an error with status 501.
    public func installation(_ id: String) async throws(HubError) -> Installation? {
        throw .unimplemented(.readInstallation)
    }

    /// Throws an error with status 501.
    public func putInstallation(_ installation: Installation) async throws(HubError) {
        throw .unimplemented(.putInstallation)
    }

    /// Throws an error with status 501.
    public func patchInstallation(_ id: String, _ patch: InstallationPatch) async throws(HubError) {
        throw .unimplemented(.patchInstallation)
    }

    /// Throws an error with status 501.
    public func deleteInstallation(_ id: String) async throws(HubError) { throw .unimplemented(.deleteInstallation) }
}

extension HubError {
    fileprivate static func unimplemented(_ operation: HubClientOperation) -> HubError {
        HubError(
            .notAccepted,
            "the test double does not implement \(operation.label)",
            operation: operation,
            status: 501
        )
    }
}
