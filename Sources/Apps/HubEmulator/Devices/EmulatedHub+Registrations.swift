import HTTPTransport
import NotificationHubs
import Timestamps

/// Registrations in the REST API.
extension EmulatedHub {
    mutating func perform(
        _ work: RegistrationWork,
        call: HubCall,
        hub: HubKey,
        names: RequestNames,
        now: Timestamp
    ) throws(HubFailure) -> HTTPResponse {
        switch work {
        case .createID:
            var headers = names.headers
            headers.append("Location", call.location("registrationids/\(unusedName(in: hub))"))
            return HTTPResponse(status: 201, headers: headers)
        case .create(let prepared):
            let name = unusedName(in: hub)
            let registration = try put(prepared, name: name, hub: hub, now: now)
            var headers = names.headers
            headers.append("Content-Location", call.location("registrations/\(registration.id)"))
            return entry(registration, call: call, headers: headers, for: .answerToWrite, now: now)
        case .put(let name, let prepared, let condition):
            try check(condition, name: name, hub: hub)
            guard name.isWellFormed else { throw .gone }
            let registration = try put(prepared, name: name, hub: hub, now: now)
            return entry(registration, call: call, headers: names.headers, for: .answerToWrite, now: now)
        case .get(let name):
            guard let registry = hubs[hub.text]?.registry,
                let record = registry.slot(of: name).flatMap({ registry[$0] }),
                !record.isExpired(at: now)
            else { throw .notFound }
            let registration = registry.registration(record)
            return entry(registration, call: call, headers: names.headers, for: .answerToRead, now: now)
        case .delete(let name, let condition):
            try check(condition, name: name, hub: hub)
            guard let slot = hubs[hub.text]?.registry.slot(of: name) else { throw .notFound }
            hubs[hub.text]?.registry.remove(slot: slot)
            changes.append(.remove(registrationID: name.description, hub: hub.text))
            return HTTPResponse(status: 200, headers: names.headers)
        case .list(let list): return feed(list, call: call, hub: hub, headers: names.headers, now: now)
        }
    }

    private mutating func unusedName(in hub: HubKey) -> RegistrationName {
        hubs[hub.text]?.registry.unusedName(using: &generator) ?? RegistrationName(using: &generator)
    }

    /// Checks `If-Match`: 404 if the registration does not exist, 412 if its ETag differs.
    private func check(_ condition: ETagCondition?, name: RegistrationName, hub: HubKey) throws(HubFailure) {
        guard let condition else { return }
        guard let registry = hubs[hub.text]?.registry, let record = registry.slot(of: name).flatMap({ registry[$0] })
        else { throw .notFound }
        guard condition.holds(for: record.etag) else { throw .preconditionFailed }
    }

    private mutating func put(
        _ prepared: PreparedRegistration,
        name: RegistrationName,
        hub: HubKey,
        now: Timestamp
    ) throws(HubFailure) -> Registration {
        let isNew = hubs[hub.text]?.registry.slot(of: name) == nil
        if isNew { try checkQuota(adding: 1, to: hub) }
        let end = hubs[hub.text]?.timeToLive.end(from: now)
        let owner = hubs[hub.text]?.registry.installation(keeping: name, tags: prepared.description.tags)
        guard let slot = hubs[hub.text]?.registry.put(prepared, name: name, expiration: end, installation: owner),
            let registry = hubs[hub.text]?.registry, let record = registry[slot]
        else { throw .noService }
        let registration = registry.registration(record)
        let installationID = owner.flatMap { registry.installations[$0]?.installation.id }
        changes.append(.put(registration, installationID: installationID, hub: hub.text))
        return registration
    }

    /// Enforces the tier's limit of devices.
    func checkQuota(adding count: Int, to hub: HubKey) throws(HubFailure) {
        let present = hubs.values.reduce(0) { $0 + $1.registry.registrationCount }
        guard present + count <= tier.maximumDevices else {
            throw HubFailure(403, "The quota of \(tier.maximumDevices) devices of the namespace is exceeded.")
        }
    }

    private func entry(
        _ registration: Registration,
        call: HubCall,
        headers: HTTPHeaders,
        for purpose: RegistrationXML.Purpose,
        now: Timestamp
    ) -> HTTPResponse {
        var headers = headers
        headers.append("Content-Type", AtomEntry.contentType)
        headers.append("ETag", AtomEntry.etag(of: registration))
        let collection = AtomCollection(
            host: call.host,
            path: "/\(call.hubName)/registrations",
            query: call.target.rawQuery
        )
        let document = AtomEntry.document(of: registration, in: collection, for: purpose, now: now)
        return HTTPResponse(status: 200, headers: headers, body: document)
    }

    private func feed(
        _ list: RegistrationList,
        call: HubCall,
        hub: HubKey,
        headers: HTTPHeaders,
        now: Timestamp
    ) -> HTTPResponse {
        let page = hubs[hub.text]?.registry.page(list, now: now) ?? (registrations: [], next: nil)
        var headers = headers
        headers.append("Content-Type", AtomFeed.contentType)
        let token = page.next.map { PercentEncoding.encode(RegistrationList.token(for: $0)) }
        if let token { headers.append("x-ms-continuationtoken", token) }
        let collection = AtomCollection(host: call.host, path: call.target.path, query: call.target.rawQuery)
        let document = AtomFeed.document(
            of: page.registrations,
            in: collection,
            continuationToken: token,
            now: now
        )
        return HTTPResponse(status: 200, headers: headers, body: document)
    }
}
