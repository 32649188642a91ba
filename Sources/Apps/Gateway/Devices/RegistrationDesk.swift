import NotificationHubs
import Timestamps

/// Registrations of signed-in users: the two steps of the tutorial, and the way back.
struct RegistrationDesk: Sendable {
    private static let foreign = GatewayRefusal.forbidden("foreign", "This registration is another user's.")

    let handles: DeviceHandles
    let rule: ClientTagRule
    let issued = IssuedIDs()

    private var hub: HubDoor { handles.hub }

    /// Gives a user an id for a device, and removes what else is registered for it.
    ///
    /// A handle is known to its device alone, so whoever has it has the device; see ``HandleCleanup``.
    ///
    /// - Parameters:
    ///   - handle: The device's; `nil` if it is not known yet.
    ///   - user: Signed in.
    /// - Returns: The id of a registration of the user's own, otherwise a new one.
    /// - Throws: ``GatewayRefusal``.
    func newRegistration(handle: String?, for user: GatewayUser) async throws(GatewayRefusal) -> String {
        if let handle, let kept = try await handles.clear(handle, for: user) { return kept }
        let id = try await hub.ask { hub throws(HubError) in try await hub.createRegistrationID() }
        issued.issue(id, to: user, now: .now)
        return id
    }

    /// Writes a registration of a user.
    ///
    /// A user who writes another user's registration with the handle that it has is the new user of the device: an app
    /// that keeps one id may change its user.
    ///
    /// - Parameters:
    ///   - id: As it was given.
    ///   - body: The device and its tags.
    ///   - user: Signed in.
    /// - Throws: ``GatewayRefusal``: 403 for another user's device, 410 if the hub has given the id up.
    func put(_ id: String, _ body: [UInt8], for user: GatewayUser) async throws(GatewayRefusal) {
        let body = try DeviceRegistrationBody(body, rule: rule)
        let description = RegistrationDescription(channel: body.channel, tags: body.tags + [user.tag])
        try await handles.write(.registration(id), [body.channel], for: user) { () throws(GatewayRefusal) in
            do throws(GatewayRefusal) {
                return try await write(id, description, for: user)
            } catch {
                // The same device may have written twice at once: whose it is is looked at again.
                guard error.label == "conflict" else { throw error }
                return try await write(id, description, for: user)
            }
        }
        issued.forget(id)
    }

    /// - Returns: The owner before.
    private func write(
        _ id: String,
        _ description: RegistrationDescription,
        for user: GatewayUser
    ) async throws(GatewayRefusal) -> DeviceOwner {
        var found: Registration?
        switch issued.claim(on: id, by: user, now: .now) {
        case .own: break
        case .others: throw Self.foreign
        case .unknown: found = try await registration(id, of: user, with: description.channel)
        }
        // With the state that was looked at, so that nobody else's can have come in between.
        let etag = found?.etag
        _ = try await hub.ask { hub throws(HubError) in
            try await hub.upsertRegistration(id, description, ifMatch: etag)
        }
        return found.map { DeviceOwner(tags: $0.description.tags) } ?? .nobody
    }

    /// Deletes a registration of a user.
    ///
    /// - Parameters:
    ///   - id: As it was given.
    ///   - user: Signed in.
    /// - Throws: ``GatewayRefusal``: 403 for another's, 404 if it does not exist.
    func delete(_ id: String, for user: GatewayUser) async throws(GatewayRefusal) {
        guard issued.claim(on: id, by: user, now: .now) != .others else { throw Self.foreign }
        guard let registration = try await registration(id, of: user) else { throw .notFound }
        let wasThere = try await hub.ask { hub throws(HubError) in
            try await hub.deleteRegistration(id, ifMatch: registration.etag)
        }
        issued.forget(id)
        guard wasThere else { throw .notFound }
    }

    /// Looks for the registration with an id.
    ///
    /// - Parameters:
    ///   - id: Any.
    ///   - user: Signed in.
    ///   - channel: A user with this channel has the device, and may change it too.
    /// - Returns: `nil` if it does not exist.
    /// - Throws: ``GatewayRefusal``: 403 if the user may not change it.
    private func registration(
        _ id: String,
        of user: GatewayUser,
        with channel: PushChannel? = nil
    ) async throws(GatewayRefusal) -> Registration? {
        let found = try await hub.ask { hub throws(HubError) in try await hub.registration(id) }
        guard let found else { return nil }
        guard case .registration = DeviceRecord(of: found) else {
            throw .forbidden("installation", "This registration belongs to an installation: change that.")
        }
        guard DeviceOwner(tags: found.description.tags).admits(user) || found.description.channel == channel else {
            throw Self.foreign
        }
        return found
    }
}
