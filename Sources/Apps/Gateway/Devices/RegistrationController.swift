import NewsflashBasics
import NewsflashTimestamps
import NotificationHubs

/// Creates, writes and deletes the registrations of signed-in users, with the two steps of the tutorial.
struct RegistrationController: Sendable {
    private static let foreign = GatewayRefusal.forbidden("foreign", "This registration is another user's.")

    let handles: DeviceHandles
    let rule: ClientTagRule
    let issued = IssuedIDs()

    private var hub: GatewayHub { handles.hub }

    /// Issues an ID for a device to a user, and removes other records of the device.
    ///
    /// Only the device has its handle, so a user who sends it has the device; see ``HandleCleanup``.
    ///
    /// - Parameters:
    ///   - handle: The device's handle; `nil` if it is not known yet.
    ///   - user: The signed-in user.
    /// - Returns: The ID of an existing registration of the user, otherwise a new one.
    /// - Throws: ``GatewayRefusal``.
    func newRegistration(handle: String?, for user: GatewayUser) async throws(GatewayRefusal) -> String {
        if let handle, let kept = try await handles.clear(handle, for: user) { return kept }
        let id = try await hub.ask { hub throws(HubError) in try await hub.createRegistrationID() }
        issued.issue(id, to: user, now: .now)
        return id
    }

    /// Writes a registration of a user.
    ///
    /// A user who writes another user's registration with the same handle becomes the owner of the device, because an app may
    /// keep
    /// its ID when its user changes.
    ///
    /// - Parameters:
    ///   - id: The issued ID.
    ///   - body: The device and its tags, as JSON.
    ///   - user: The signed-in user.
    /// - Throws: ``GatewayRefusal``: 403 for another user's device, 410 if the ID has expired in the hub.
    func put(_ id: String, _ body: [UInt8], for user: GatewayUser) async throws(GatewayRefusal) {
        let body = try DeviceRegistrationBody(body, rule: rule)
        let description = RegistrationDescription(channel: body.channel, tags: body.tags + [user.tag])
        try await handles.write(.registration(id), [body.channel], for: user) { () throws(GatewayRefusal) in
            do throws(GatewayRefusal) {
                return try await write(id, description, for: user)
            } catch {
                // The same device may have written twice at once, so the owner is checked again.
                guard error.label == "conflict" else { throw error }
                return try await write(id, description, for: user)
            }
        }
        issued.forget(id)
    }

    /// - Returns: The previous owner.
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
        // The ETag of the checked state prevents overwriting another user's write.
        let etag = found?.etag
        _ = try await hub.ask { hub throws(HubError) in
            try await hub.upsertRegistration(id, description, ifMatch: etag)
        }
        return found.map { DeviceOwner(tags: $0.description.tags) } ?? .nobody
    }

    /// Deletes a registration of a user.
    ///
    /// - Throws: ``GatewayRefusal``: 403 if it belongs to another user, 404 if it does not exist.
    func delete(_ id: String, for user: GatewayUser) async throws(GatewayRefusal) {
        guard issued.claim(on: id, by: user, now: .now) != .others else { throw Self.foreign }
        guard let registration = try await registration(id, of: user) else { throw .notFound }
        let wasThere = try await hub.ask { hub throws(HubError) in
            try await hub.deleteRegistration(id, ifMatch: registration.etag)
        }
        issued.forget(id)
        guard wasThere else { throw .notFound }
    }

    /// Reads the registration with an ID.
    ///
    /// - Parameters:
    ///   - id: The ID.
    ///   - user: The signed-in user.
    ///   - channel: The user's channel; with it the user may also change another user's registration.
    /// - Returns: The registration, or `nil` if it does not exist.
    /// - Throws: ``GatewayRefusal``: 403 if the user may not change the registration.
    private func registration(
        _ id: String,
        of user: GatewayUser,
        with channel: PushChannel? = nil
    ) async throws(GatewayRefusal) -> Registration? {
        let found = try await hub.ask { hub throws(HubError) in try await hub.registration(id) }
        guard let found else { return nil }
        guard case .registration = DeviceRecord(of: found) else {
            throw .forbidden("installation", "This registration belongs to an installation: change the installation.")
        }
        guard DeviceOwner(tags: found.description.tags).admits(user) || found.description.channel == channel else {
            throw Self.foreign
        }
        return found
    }
}

/// The recently issued registration IDs, with their users.
///
/// An ID belongs to its user from the response on, before a registration exists: no other user may write it first. And the
/// user's own first write need not query the hub for the owner.
final class IssuedIDs: Sendable {
    private struct Issue {
        var user: String
        var expires: Instant
    }

    private struct State {
        var young: [String: Issue] = [:]
        var old: [String: Issue] = [:]
    }

    /// The owner of an ID, as far as this process can tell.
    enum Claim: Sendable, Equatable {
        case unknown
        case own
        case others
    }

    private let capacity: Int
    private let life: Duration
    private let state = Locked(State())

    init(capacity: Int = 100_000, life: Duration = .seconds(300)) {
        self.capacity = max(2, capacity)
        self.life = life
    }

    /// Records that an ID was issued to a user.
    func issue(_ id: String, to user: GatewayUser, now: Instant) {
        state.withLock { state in
            state.young[id] = Issue(user: user.name, expires: now + life)
            guard state.young.count >= capacity / 2 else { return }
            state.old = state.young
            state.young = [:]
        }
    }

    /// Returns the owner of an ID.
    func claim(on id: String, by user: GatewayUser, now: Instant) -> Claim {
        state.withLock { state in
            guard let issue = state.young[id] ?? state.old[id], now < issue.expires else { return .unknown }
            return issue.user == user.name ? .own : .others
        }
    }

    /// Forgets an ID after it was written, because the hub then stores its owner.
    func forget(_ id: String) {
        state.withLock { state in
            state.young[id] = nil
            state.old[id] = nil
        }
    }
}
