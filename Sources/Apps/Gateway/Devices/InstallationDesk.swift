import NotificationHubs

/// Installations of signed-in users.
struct InstallationDesk: Sendable {
    let hub: HubDoor
    let rule: ClientTagRule

    /// Reads a user's own installation.
    ///
    /// - Parameters:
    ///   - id: Chosen by the app.
    ///   - user: Signed in.
    /// - Returns: Its JSON, without what the server has added.
    /// - Throws: ``GatewayRefusal``: 403 for another's, 404 where there is none.
    func read(_ id: String, for user: GatewayUser) async throws(GatewayRefusal) -> [UInt8] {
        guard let kept = try await own(id, of: user) else { throw .notFound }
        return InstallationJSON.write(rules(for: user).visible(kept))
    }

    /// Writes an installation, a new one or one of the user's own.
    ///
    /// - Parameters:
    ///   - id: Chosen by the app.
    ///   - body: Its JSON.
    ///   - user: Signed in.
    /// - Throws: ``GatewayRefusal``: 403 for another's, and for what is the server's to set.
    func put(_ id: String, _ body: [UInt8], for user: GatewayUser) async throws(GatewayRefusal) {
        let written: Installation
        do throws(DeviceError) {
            written = try InstallationJSON.read(body, id: id)
        } catch {
            throw GatewayRefusal(error)
        }
        let installation = try rules(for: user).completed(written)
        _ = try await own(id, of: user)
        try await hub.ask { hub throws(HubError) in try await hub.putInstallation(installation) }
    }

    /// Changes a user's own installation.
    ///
    /// The change is made here and the whole put in its place: so what the server has set is kept, whatever a client
    /// removes. Of two changes at the same time the later counts, as with the hub's own PUT.
    ///
    /// - Parameters:
    ///   - id: Chosen by the app.
    ///   - body: A list of operations.
    ///   - user: Signed in.
    /// - Throws: ``GatewayRefusal``: 403 for another's, and for what is the server's to set; 404 where there is none.
    func patch(_ id: String, _ body: [UInt8], for user: GatewayUser) async throws(GatewayRefusal) {
        guard let kept = try await own(id, of: user) else { throw .notFound }
        let installation = try rules(for: user).patched(body, kept)
        try await hub.ask { hub throws(HubError) in try await hub.putInstallation(installation) }
    }

    /// Deletes a user's own installation; one that is not there is fine.
    ///
    /// - Parameters:
    ///   - id: Chosen by the app.
    ///   - user: Signed in.
    /// - Throws: ``GatewayRefusal``: 403 for another's.
    func delete(_ id: String, for user: GatewayUser) async throws(GatewayRefusal) {
        guard try await own(id, of: user) != nil else { return }
        try await hub.ask { hub throws(HubError) in try await hub.deleteInstallation(id) }
    }

    private func rules(for user: GatewayUser) -> InstallationRules { InstallationRules(user: user, rule: rule) }

    private func own(_ id: String, of user: GatewayUser) async throws(GatewayRefusal) -> Installation? {
        let found = try await hub.ask { hub throws(HubError) in try await hub.installation(id) }
        guard let found else { return nil }
        guard DeviceOwner(tags: found.tags, userID: found.userID).admits(user) else {
            throw .forbidden("foreign", "This installation is another user's.")
        }
        return found
    }
}
