import ASCII
import NotificationHubs
import Timestamps

/// Registrations of signed-in users: the two steps of the tutorial, and the way back.
struct RegistrationDesk: Sendable {
    private static let foreign = GatewayRefusal.forbidden("foreign", "This registration is another user's.")

    let hub: HubDoor
    let rule: ClientTagRule
    let issued = IssuedIDs()

    /// Gives a user an id for a device, and removes what else is registered for it.
    ///
    /// A handle is known to its device alone, so whoever has it has the device: registrations of others who used it before
    /// go, too, and their messages no longer reach it.
    ///
    /// - Parameters:
    ///   - handle: The device's; nothing where it is not known yet.
    ///   - user: Signed in.
    /// - Returns: The id of a registration of the user's own, else a new one.
    /// - Throws: ``GatewayRefusal``.
    func newRegistration(handle: String?, for user: GatewayUser) async throws(GatewayRefusal) -> String {
        var cleanup = RegistrationCleanup([], for: user)
        if let handle {
            cleanup = RegistrationCleanup(try await registrations(with: handle), for: user)
            for id in cleanup.registrations {
                try await hub.ask { hub throws(HubError) in _ = try await hub.deleteRegistration(id) }
            }
            for id in cleanup.installations {
                try await hub.ask { hub throws(HubError) in try await hub.deleteInstallation(id) }
            }
        }
        if let kept = cleanup.kept { return kept }
        let id = try await hub.ask { hub throws(HubError) in try await hub.createRegistrationID() }
        issued.issue(id, to: user, now: .now)
        return id
    }

    /// Writes a registration of a user.
    ///
    /// - Parameters:
    ///   - id: As it was given.
    ///   - body: The device and its tags.
    ///   - user: Signed in.
    /// - Throws: ``GatewayRefusal``: 403 for another's, 410 where the hub has given the id up.
    func put(_ id: String, _ body: [UInt8], for user: GatewayUser) async throws(GatewayRefusal) {
        let body = try DeviceRegistrationBody(body, rule: rule)
        let description = RegistrationDescription(channel: body.channel, tags: body.tags + [user.tag])
        do throws(GatewayRefusal) {
            try await write(id, description, for: user)
        } catch {
            // The same device may have written twice at once: whose it is is looked at again.
            guard error.label == "conflict" else { throw error }
            try await write(id, description, for: user)
        }
        issued.forget(id)
    }

    private func write(
        _ id: String,
        _ description: RegistrationDescription,
        for user: GatewayUser
    ) async throws(GatewayRefusal) {
        let etag: Int64?
        switch issued.claim(on: id, by: user, now: .now) {
        case .own: etag = nil
        case .others: throw Self.foreign
        case .unknown: etag = try await ownRegistration(id, of: user)?.etag
        }
        // With the state that was looked at, so that nobody else's can have come in between.
        _ = try await hub.ask { hub throws(HubError) in
            try await hub.upsertRegistration(id, description, ifMatch: etag)
        }
    }

    /// Deletes a registration of a user.
    ///
    /// - Parameters:
    ///   - id: As it was given.
    ///   - user: Signed in.
    /// - Throws: ``GatewayRefusal``: 403 for another's, 404 where there is none.
    func delete(_ id: String, for user: GatewayUser) async throws(GatewayRefusal) {
        guard issued.claim(on: id, by: user, now: .now) != .others else { throw Self.foreign }
        guard let registration = try await ownRegistration(id, of: user) else { throw .notFound }
        let wasThere = try await hub.ask { hub throws(HubError) in
            try await hub.deleteRegistration(id, ifMatch: registration.etag)
        }
        issued.forget(id)
        guard wasThere else { throw .notFound }
    }

    /// What is registered under an id, where a user may change it.
    private func ownRegistration(_ id: String, of user: GatewayUser) async throws(GatewayRefusal) -> Registration? {
        let found = try await hub.ask { hub throws(HubError) in try await hub.registration(id) }
        guard let found else { return nil }
        guard RegistrationCleanup.installation(of: found) == nil else {
            throw .forbidden("installation", "This registration belongs to an installation: change that.")
        }
        guard DeviceOwner(tags: found.description.tags).admits(user) else { throw Self.foreign }
        return found
    }

    private func registrations(with handle: String) async throws(GatewayRefusal) -> [Registration] {
        // Tokens of Apple are kept in upper case; all others are found as they are written, whatever the platform.
        let isApples =
            handle.utf8.count >= 64 && handle.utf8.count.isMultiple(of: 2)
            && handle.utf8.allSatisfy(\.isHexadecimalDigit)
        let channel: PushChannel = isApples ? .apns(deviceToken: handle) : .fcmv1(registrationID: handle)
        return try await hub.ask { hub throws(HubError) in
            var found: [Registration] = []
            var continuation: String?
            // A device has a handful; so many pages are somebody's mistake, and the rest goes next time.
            for _ in 0..<10 {
                let page = try await hub.registrations(.channel(channel), after: continuation)
                found += page.registrations
                guard let next = page.continuation, next != continuation else { break }
                continuation = next
            }
            return found
        }
    }
}
