import NewsflashBasics
import NotificationHubs

/// Persistence of devices across restarts.
extension HubEmulator {
    /// Loads devices, hubs, keys and scheduled sends from a folder, and stores all later changes there. Call it before
    /// ``start()``.
    ///
    /// Rules of the configuration take precedence over the stored rules of the namespace, and do not replace them.
    ///
    /// - Parameter folder: The folder; created if needed.
    /// - Returns: The number of registrations and installations that were read.
    /// - Throws: ``DeviceStoreError`` if the folder cannot be used or its data cannot be read.
    @discardableResult
    package func keepDevices(in folder: String) throws(DeviceStoreError) -> (registrations: Int, installations: Int) {
        let store = try DeviceStore(folder: folder)
        do throws(DeviceStoreError) {
            return try restore(from: store)
        } catch {
            store.close()
            throw error
        }
    }

    private func restore(
        from store: DeviceStore
    ) throws(DeviceStoreError) -> (registrations: Int, installations: Int) {
        let kept = try store.loadNamespace()
        let restoring = Locked(DeviceRestoring())
        try store.load { device in restoring.withLock { $0.restore(device) } }
        let restored = restoring.withLock { $0 }
        if let problem = restored.problem {
            throw DeviceStoreError(.unreadable, "the devices in \(store.folder) cannot be read: \(problem)")
        }
        let now = configuration.clock()
        return try state.withLock { state throws(DeviceStoreError) in
            let hasRules = !configuration.rules.isEmpty
            try store.write(state.hub.restore(kept, keepsOwnRules: hasRules))
            for (key, registry) in restored.registries {
                var hub = state.hub.hubs[key] ?? HostedHub(name: key, created: now)
                hub.registry = registry
                state.hub.hubs[key] = hub
            }
            // After the devices, because a send that was due meanwhile is sent at once.
            for send in kept.sends {
                let properties = (try? SendReader.properties(send.body, format: send.format)) ?? []
                state.hub.schedule(send, properties: properties, hub: HubKey(send.hub))
            }
            state.store = store
            let registries = restored.registries.values
            return (
                registries.reduce(0) { $0 + $1.registrationCount }, registries.reduce(0) { $0 + $1.installationCount }
            )
        }
    }
}

extension EmulatedHub {
    /// Applies the stored rules and hubs.
    ///
    /// - Parameters:
    ///   - kept: The stored rules and hubs.
    ///   - keepsOwnRules: Whether the current rules take precedence over the stored ones.
    /// - Returns: The changes that must be written to storage.
    fileprivate mutating func restore(_ kept: KeptNamespace, keepsOwnRules: Bool) -> [DeviceChange] {
        var changes: [DeviceChange] = []
        if !keepsOwnRules, kept.rules.isEmpty { changes.append(.putRules(rules)) }
        if !keepsOwnRules, !kept.rules.isEmpty { set(rules: kept.rules) }
        let known = Set(kept.hubs.map { HubKey($0.name).text })
        for (key, hub) in hubs where !known.contains(key) { changes.append(.putHub(hub.kept)) }
        for hub in kept.hubs {
            let key = HubKey(hub.name).text
            hubs[key] = HostedHub(
                // The program may have been started with another spelling of the name.
                name: hubs[key]?.name ?? hub.name,
                created: hub.created,
                rules: hub.rules,
                timeToLive: (try? RegistrationTimeToLive(hub.registrationTimeToLive)) ?? .never,
                credentials: hub.credentials
            )
        }
        return changes
    }
}

/// Builds registries from stored devices: first installations, then registrations.
private struct DeviceRestoring: Sendable {
    private(set) var registries: [String: DeviceRegistry] = [:]
    /// The first template that could not be parsed.
    private(set) var problem: String?

    mutating func restore(_ device: StoredDevice) {
        switch device {
        case .installation(let installation, let hub):
            registries[hub, default: DeviceRegistry()].restore(installation)
        case .registration(let registration, let installationID, let hub):
            restore(registration, installationID: installationID, hub: hub)
        }
    }

    private mutating func restore(_ registration: Registration, installationID: String?, hub: String) {
        let prepared: PreparedRegistration
        let description = registration.description
        let known = description.template.flatMap {
            registries[hub]?.templates.compiled($0, platform: description.channel.platform)
        }
        if let known {
            prepared = PreparedRegistration(description, template: known)
        } else {
            do throws(TemplateError) {
                prepared = try PreparedRegistration(description)
            } catch {
                problem = problem ?? "registration \(registration.id): \(error)"
                return
            }
        }
        let number = installationID.flatMap { registries[hub]?.number(ofInstallation: $0) }
        let slot = registries[hub, default: DeviceRegistry()].put(
            prepared,
            name: RegistrationName(registration.id),
            etag: registration.etag,
            expiration: registration.expiration,
            installation: number
        )
        if let number { registries[hub]?.adopt(slot, into: number) }
    }
}
