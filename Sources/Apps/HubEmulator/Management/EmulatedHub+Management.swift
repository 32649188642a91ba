import HTTPTransport
import NotificationHubs
import StrictXML
import Timestamps

/// Management of the namespace's hubs.
extension EmulatedHub {
    mutating func perform(
        _ work: ManagementWork,
        call: HubCall,
        names: RequestNames,
        now: Timestamp
    ) throws(HubFailure) -> HTTPResponse {
        let key = HubKey(call.hubName)
        switch work {
        case .describe:
            // As recorded: if the hub does not exist, the response is a list of the existing ones, which is empty.
            guard let hub = hubs[key.text] else { return publicServices(names: names, now: now) }
            return describe(hub, status: 200, call: call, names: names, now: now)
        case .put(let isUpdate, let timeToLive):
            if var hub = hubs[key.text] {
                guard isUpdate else { throw .conflict }
                hub.timeToLive = timeToLive ?? hub.timeToLive
                hubs[key.text]?.timeToLive = hub.timeToLive
                changes.append(.putHub(hub.kept))
                return describe(hub, status: 200, call: call, names: names, now: now)
            }
            guard !isUpdate else { throw .noService }
            guard HubClient.isValid(hubName: call.hubName) else {
                throw HubFailure(400, "The name of a hub has 1 to 260 letters, digits and . - _.")
            }
            let hub = HostedHub(
                name: call.hubName,
                created: now,
                rules: AccessRule.defaults().reversed(),
                timeToLive: timeToLive ?? .never
            )
            hubs[key.text] = hub
            changes.append(.putHub(hub.kept))
            return describe(hub, status: 201, call: call, names: names, now: now)
        case .delete:
            guard hubs.removeValue(forKey: key.text) != nil else { throw .noService }
            endFanOuts(of: key.text, now: now)
            cancelScheduledSends(of: key.text, now: now)
            changes += [.removeAll(hub: key.text), .removeHub(name: key.text)]
            return HTTPResponse(status: 200, headers: names.headers)
        case .list:
            return list(hubs.values.sorted { $0.name < $1.name }, call: call, names: names, now: now)
        case .jobs:
            throw HubFailure(501, "The emulator has no blob storage to import from or export to.")
        }
    }

    private func describe(
        _ hub: HostedHub,
        status: Int,
        call: HubCall,
        names: RequestNames,
        now: Timestamp
    ) -> HTTPResponse {
        var headers = names.headers
        headers.append("Content-Type", AtomEntry.contentType)
        return HTTPResponse(status: status, headers: headers, body: document(hub, call: call, now: now))
    }

    private func document(_ hub: HostedHub, call: HubCall, now: Timestamp) -> [UInt8] {
        HubDescriptionEntry.document(
            of: AtomCollection(host: call.host, path: "/\(hub.name)", query: call.target.rawQuery),
            name: hub.name,
            namespace: String(call.host.prefix { $0 != "." && $0 != ":" }),
            rules: hub.rules.isEmpty ? rules : hub.rules,
            timeToLive: hub.timeToLive,
            created: hub.created,
            now: now
        )
    }

    private func list(_ hubs: [HostedHub], call: HubCall, names: RequestNames, now: Timestamp) -> HTTPResponse {
        var headers = names.headers
        headers.append("Content-Type", AtomFeed.contentType)
        let address = AtomCollection(host: call.host, path: call.target.path, query: call.target.rawQuery).address
        let entries = hubs.map { document($0, call: call, now: now) }
        return HTTPResponse(
            status: 200,
            headers: headers,
            body: AtomFeed.hubs(entries, address: address, now: now)
        )
    }

    private func publicServices(names: RequestNames, now: Timestamp) -> HTTPResponse {
        var headers = names.headers
        headers.append("Content-Type", AtomFeed.contentType)
        return HTTPResponse(
            status: 200,
            headers: headers,
            body: AtomFeed.publiclyListedServices(id: names.correlationID, now: now)
        )
    }
}

extension AtomFeed {
    /// Writes the list of a namespace's hubs.
    ///
    /// - Parameters:
    ///   - entries: The documents of the hubs.
    ///   - address: The URL of the list.
    ///   - now: The current time.
    /// - Returns: The document.
    static func hubs(_ entries: [[UInt8]], address: String, now: Timestamp) -> [UInt8] {
        var writer = XMLWriter()
        writer.title("NotificationHubs")
        writer.element("id", address)
        writer.element("updated", now.atomDate)
        writer.empty("link", ("rel", "self"), ("href", address))
        let head = Array("<feed xmlns=\"\(Atom.namespace)\">".utf8)
        return head + writer.bytes + entries.flatMap(\.self) + Array("</feed>".utf8)
    }
}
