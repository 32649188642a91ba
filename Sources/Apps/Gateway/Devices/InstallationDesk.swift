import NotificationHubs

/// Installations of signed-in users.
struct InstallationDesk: Sendable {
    let handles: DeviceHandles
    let rule: ClientTagRule

    private var hub: HubDoor { handles.hub }

    /// Reads a user's own installation.
    ///
    /// - Parameters:
    ///   - id: Chosen by the app.
    ///   - user: Signed in.
    /// - Returns: Its JSON, without what the server has added.
    /// - Throws: ``GatewayRefusal``: 403 for another's, 404 if it does not exist.
    func read(_ id: String, for user: GatewayUser) async throws(GatewayRefusal) -> [UInt8] {
        guard let kept = try await installation(id, of: user) else { throw .notFound }
        return InstallationJSON.write(rules(for: user).visible(kept))
    }

    /// Writes an installation: a new one, one of the user's own, or another's with the handle that it has, since who has the
    /// handle has the device.
    ///
    /// - Parameters:
    ///   - id: Chosen by the app.
    ///   - body: Its JSON.
    ///   - user: Signed in.
    /// - Throws: ``GatewayRefusal``: 403 for another user's device, and for what is the server's to set.
    func put(_ id: String, _ body: [UInt8], for user: GatewayUser) async throws(GatewayRefusal) {
        let written: Installation
        do throws(DeviceError) {
            written = try InstallationJSON.read(body, id: id)
        } catch {
            throw GatewayRefusal(error)
        }
        let installation = try rules(for: user).completed(written)
        try await handles.write(.installation(id), installation.channels, for: user) { () throws(GatewayRefusal) in
            let found = try await self.installation(id, of: user, with: installation.channel)
            try await hub.ask { hub throws(HubError) in try await hub.putInstallation(installation) }
            return found.map { DeviceOwner(of: $0) } ?? .nobody
        }
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
    /// - Throws: ``GatewayRefusal``: 403 for another's, and for what is the server's to set; 404 if it does not exist.
    func patch(_ id: String, _ body: [UInt8], for user: GatewayUser) async throws(GatewayRefusal) {
        guard let kept = try await installation(id, of: user) else { throw .notFound }
        let installation = try rules(for: user).patched(body, kept)
        try await handles.write(.installation(id), installation.channels, for: user) { () throws(GatewayRefusal) in
            // It may have another user by now.
            guard let found = try await self.installation(id, of: user) else { throw .notFound }
            try await hub.ask { hub throws(HubError) in try await hub.putInstallation(installation) }
            return DeviceOwner(of: found)
        }
    }

    /// Deletes a user's own installation; one that is not there is fine.
    ///
    /// - Parameters:
    ///   - id: Chosen by the app.
    ///   - user: Signed in.
    /// - Throws: ``GatewayRefusal``: 403 for another's.
    func delete(_ id: String, for user: GatewayUser) async throws(GatewayRefusal) {
        guard try await installation(id, of: user) != nil else { return }
        try await hub.ask { hub throws(HubError) in try await hub.deleteInstallation(id) }
    }

    private func rules(for user: GatewayUser) -> InstallationRules { InstallationRules(user: user, rule: rule) }

    /// Looks for the installation with an id.
    ///
    /// - Parameters:
    ///   - id: Any.
    ///   - user: Signed in.
    ///   - channel: A user with this channel has the device, and may have the installation too.
    /// - Returns: `nil` if it does not exist.
    /// - Throws: ``GatewayRefusal``: 403 if the user may not have the installation.
    private func installation(
        _ id: String,
        of user: GatewayUser,
        with channel: PushChannel? = nil
    ) async throws(GatewayRefusal) -> Installation? {
        let found = try await hub.ask { hub throws(HubError) in try await hub.installation(id) }
        guard let found else { return nil }
        guard DeviceOwner(of: found).admits(user) || found.channel == channel else {
            throw .forbidden("foreign", "This installation is another user's.")
        }
        return found
    }
}

extension Installation {
    /// Its own channel and those of its tiles.
    fileprivate var channels: [PushChannel] { [channel] + secondaryTiles.map(\.channel) }
}
