import HTTPTransport
import NotificationHubs
import Timestamps

/// Installations in the REST API.
extension EmulatedHub {
    mutating func perform(
        _ work: InstallationWork,
        hub: HubKey,
        names: RequestNames,
        now: Timestamp
    ) throws(HubFailure) -> HTTPResponse {
        var headers = names.headers
        // As recorded, although the body of a read is JSON.
        headers.append("Content-Type", "application/xml; charset=utf-8")
        switch work {
        case .get(let id):
            let installation = try installation(id, hub: hub, now: now)
            return HTTPResponse(status: 200, headers: headers, body: InstallationJSON.write(installation))
        case .put(let prepared):
            try put(prepared, hub: hub, now: now)
            return HTTPResponse(status: 200, headers: headers)
        case .patch(let id, let patch):
            var installation = try installation(id, hub: hub, now: now)
            let prepared = try HubFailure.wording {
                try patch.apply(to: &installation)
                return try PreparedInstallation(installation)
            }
            try put(prepared, hub: hub, now: now)
            return HTTPResponse(status: 200, headers: headers)
        case .delete(let id):
            guard let entry = hubs[hub.text]?.registry.installation(id) else {
                return HTTPResponse(status: 204, headers: headers)
            }
            for slot in entry.slots {
                guard let name = hubs[hub.text]?.registry[slot]?.name else { continue }
                changes.append(.remove(registrationID: name.description, hub: hub.text))
            }
            hubs[hub.text]?.registry.removeInstallation(id)
            // Uses the spelling of the last write, not that of the request.
            changes.append(.removeInstallation(id: entry.installation.id, hub: hub.text))
            return HTTPResponse(status: 204, headers: headers)
        }
    }

    private func installation(_ id: String, hub: HubKey, now: Timestamp) throws(HubFailure) -> Installation {
        guard let installation = hubs[hub.text]?.registry.installation(id)?.installation,
            installation.expiration.map({ $0 > now }) ?? true
        else { throw HubFailure(404, "Installation not found") }
        return installation
    }

    private mutating func put(
        _ prepared: PreparedInstallation,
        hub: HubKey,
        now: Timestamp
    ) throws(HubFailure) {
        let prepared = prepared.ending(hubs[hub.text]?.timeToLive.end(from: now))
        let present = hubs[hub.text]?.registry.installation(prepared.installation.id)?.slots.count ?? 0
        try checkQuota(adding: max(0, prepared.registrations.count - present), to: hub)
        let written = hubs[hub.text]?.registry.put(prepared, using: &generator)
        guard let written, let registry = hubs[hub.text]?.registry else { return }
        changes.append(.putInstallation(prepared.installation, hub: hub.text))
        for name in written.removed { changes.append(.remove(registrationID: name.description, hub: hub.text)) }
        for slot in written.slots {
            guard let record = registry[slot] else { continue }
            changes.append(
                .put(registry.registration(record), installationID: prepared.installation.id, hub: hub.text)
            )
        }
    }
}
