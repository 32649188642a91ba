import NotificationHubs

/// Reads, writes and deletes the installations of signed-in users.
struct InstallationController: Sendable {
    let handles: DeviceHandles
    let rule: ClientTagRule

    private var hub: GatewayHub { handles.hub }

    /// Reads a user's own installation.
    ///
    /// - Parameters:
    ///   - id: The ID, chosen by the app.
    ///   - user: The signed-in user.
    /// - Returns: The installation as JSON, without the server's additions.
    /// - Throws: ``GatewayRefusal``: 403 if it belongs to another user, 404 if it does not exist.
    func read(_ id: String, for user: GatewayUser) async throws(GatewayRefusal) -> [UInt8] {
        guard let kept = try await installation(id, of: user) else { throw .notFound }
        return InstallationJSON.write(rules(for: user).visible(kept))
    }

    /// Writes an installation: a new one, one of the user, or another user's with the same handle, because a user who has the
    /// handle
    /// has the device.
    ///
    /// - Parameters:
    ///   - id: The ID, chosen by the app.
    ///   - body: The installation as JSON.
    ///   - user: The signed-in user.
    /// - Throws: ``GatewayRefusal``: 403 for another user's device, or for a value that only the server sets.
    func put(_ id: String, _ body: [UInt8], for user: GatewayUser) async throws(GatewayRefusal) {
        let written: Installation
        do throws(HubValueError) {
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
    /// The change is checked here, and the hub gets the client's operations and those that restore what the server has set. What
    /// other programs have set stays, even if it breaks the rules of this server.
    ///
    /// - Parameters:
    ///   - id: The ID, chosen by the app.
    ///   - body: A list of operations.
    ///   - user: The signed-in user.
    /// - Throws: ``GatewayRefusal``: 403 if it belongs to another user or for a value that only the server sets; 404 if it does
    ///   not exist.
    func patch(_ id: String, _ body: [UInt8], for user: GatewayUser) async throws(GatewayRefusal) {
        guard let kept = try await installation(id, of: user) else { throw .notFound }
        let (changes, result) = try rules(for: user).patch(body, kept)
        try await handles.write(.installation(id), result.channels, for: user) { () throws(GatewayRefusal) in
            // The owner may have changed meanwhile.
            guard let found = try await self.installation(id, of: user) else { throw .notFound }
            try await hub.ask { hub throws(HubError) in try await hub.patchInstallation(id, changes) }
            return DeviceOwner(of: found)
        }
    }

    /// Deletes a user's own installation, if it exists.
    ///
    /// - Parameters:
    ///   - id: The ID, chosen by the app.
    ///   - user: The signed-in user.
    /// - Throws: ``GatewayRefusal``: 403 if it belongs to another user.
    func delete(_ id: String, for user: GatewayUser) async throws(GatewayRefusal) {
        guard try await installation(id, of: user) != nil else { return }
        try await hub.ask { hub throws(HubError) in try await hub.deleteInstallation(id) }
    }

    private func rules(for user: GatewayUser) -> InstallationRules { InstallationRules(user: user, rule: rule) }

    /// Reads the installation with an ID.
    ///
    /// - Parameters:
    ///   - id: The ID.
    ///   - user: The signed-in user.
    ///   - channel: The user's channel; with it the user may also access another user's installation.
    /// - Returns: The installation, or `nil` if it does not exist.
    /// - Throws: ``GatewayRefusal``: 403 if the user may not access the installation.
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
    /// The installation's own channel and those of its tiles.
    fileprivate var channels: [PushChannel] { [channel] + secondaryTiles.map(\.channel) }
}
