import NewsflashHTTPTransport
import NewsflashSigning
import NewsflashTimestamps
import NotificationHubs

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
        purge(now: now)
        let isNew = hubs[hub.text]?.registry.slot(of: name) == nil
        if isNew { try checkQuota(adding: 1) }
        let end = hubs[hub.text]?.timeToLive.end(from: now)
        let owner = hubs[hub.text]?.registry.installation(keeping: name, tags: prepared.description.tags)
        guard let slot = hubs[hub.text]?.registry.put(prepared, name: name, expiration: end, installation: owner),
            let registry = hubs[hub.text]?.registry, let record = registry[slot]
        else { throw .noService }
        let registration = registry.registration(record)
        changes.append(.put(registration, installationID: registry.installationID(of: record), hub: hub.text))
        return registration
    }

    /// Enforces the tier's limit.
    func checkQuota(adding count: Int) throws(HubFailure) {
        guard hubs.values.reduce(count, { $0 + $1.registry.registrationCount }) > tier.maximumDevices else { return }
        throw HubFailure(403, "The quota of \(tier.maximumDevices) devices of the namespace is exceeded.")
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
        case .patch(let id, _): _ = try installation(id, hub: hub, now: now)
        case .put, .delete: break
        }
        if !delay(work, hub: hub, now: now) { try apply(work, hub: hub, now: now) }
        if case .delete = work { return HTTPResponse(status: 204, headers: headers) }
        return HTTPResponse(status: 200, headers: headers)
    }

    /// Makes a write.
    mutating func apply(_ work: InstallationWork, hub: HubKey, now: Timestamp) throws(HubFailure) {
        switch work {
        case .get: break
        case .put(let prepared): try put(prepared, hub: hub, now: now)
        case .patch(let id, let patch):
            var installation = try installation(id, hub: hub, now: now)
            let prepared = try HubFailure.wording {
                try patch.apply(to: &installation)
                return try PreparedInstallation(installation)
            }
            try put(prepared, hub: hub, now: now)
        case .delete(let id):
            guard let entry = hubs[hub.text]?.registry.installation(id) else { return }
            for slot in entry.slots {
                guard let name = hubs[hub.text]?.registry[slot]?.name else { continue }
                changes.append(.remove(registrationID: name.description, hub: hub.text))
            }
            hubs[hub.text]?.registry.removeInstallation(id)
            changes.append(.removeInstallation(id: id, hub: hub.text))
        }
    }

    private func installation(_ id: String, hub: HubKey, now: Timestamp) throws(HubFailure) -> Installation {
        guard let installation = hubs[hub.text]?.registry.installation(id)?.installation,
            !installation.isExpired(at: now)
        else { throw HubFailure(404, "Installation not found") }
        return installation
    }

    private mutating func put(
        _ prepared: PreparedInstallation,
        hub: HubKey,
        now: Timestamp
    ) throws(HubFailure) {
        purge(now: now)
        let prepared = prepared.ending(hubs[hub.text]?.timeToLive.end(from: now))
        let present = hubs[hub.text]?.registry.installation(prepared.installation.id)?.slots.count ?? 0
        try checkQuota(adding: max(0, prepared.registrations.count - present))
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

/// A request for a page of registrations: all, those with a tag, or those of a handle.
struct RegistrationList {
    /// The requested registrations.
    enum Selection {
        case all
        case tag(Tag)
        case channel(ChannelFilter)
    }

    /// The page size that SDKs request; also the default and the maximum.
    static let defaultPage = 100

    var selection: Selection
    var pageSize: Int
    /// The first slot of the page.
    var start: UInt32

    /// Parses a request.
    ///
    /// - Parameters:
    ///   - target: The request target with `$top`, `$filter` and the continuation token of the previous page.
    ///   - tag: The tag of a list by tag.
    /// - Throws: 400 if a value is malformed.
    init(_ target: RequestTarget, tag: String? = nil) throws(HubFailure) {
        if let tag {
            do throws(HubValueError) {
                selection = .tag(try Tag(tag))
            } catch {
                throw .invalidTag(tag)
            }
        } else if let filter = target.formValue(of: "$filter") {
            do throws(HubValueError) {
                selection = .channel(try ChannelFilter(filter))
            } catch {
                throw HubFailure(400, error.message)
            }
        } else {
            selection = .all
        }
        pageSize = Self.defaultPage
        if let text = target.value(of: "$top") {
            guard let top = Int(text), top > 0 else {
                throw HubFailure(400, "The value of $top has to be a positive integer.")
            }
            pageSize = min(top, Self.defaultPage)
        }
        start = 0
        if let token = target.value(of: "continuationtoken"), !token.isEmpty {
            guard let slot = Self.slot(ofToken: token) else {
                throw HubFailure(400, "The continuation token is not valid.")
            }
            start = slot
        }
    }

    /// Returns the token of the page that begins at a slot, in the service's form. Percent-encode it for the header and the
    /// link.
    static func token(for slot: UInt32) -> String {
        Base64.encode(Array("\(slot)(n);1".utf8))
    }

    /// Parses a token. The JavaScript SDK encodes it once more than other SDKs.
    private static func slot(ofToken token: String) -> UInt32? {
        let text = token.contains("%") ? PercentEncoding.decode(token) ?? token : token
        guard let bytes = Base64.decode(text) else { return nil }
        return UInt32(String(decoding: bytes.prefix { $0 != UInt8(ascii: "(") }, as: UTF8.self))
    }
}

extension DeviceRegistry {
    /// Returns a page of registrations, ordered by slot.
    ///
    /// - Returns: The page and the first slot of the next one; `nil` on the last page.
    func page(_ list: RegistrationList, now: Timestamp) -> (registrations: [Registration], next: UInt32?) {
        var found: [Registration] = []
        let slots: any Sequence<UInt32> =
            switch list.selection {
            case .all: list.start..<max(list.start, UInt32(records.count))
            case .tag(let tag): self.slots(of: tag).slots
            case .channel(let filter): filter.handles.flatMap(slots(ofHandle:)).sortedAndUnique()
            }
        for slot in slots where slot >= list.start {
            guard let record = self[slot], !record.isExpired(at: now) else { continue }
            if case .channel(let filter) = list.selection, !filter.matches(record.channel) { continue }
            guard found.count < list.pageSize else { return (found, slot) }
            found.append(registration(record))
        }
        return (found, nil)
    }
}
