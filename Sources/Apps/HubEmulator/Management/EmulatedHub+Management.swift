import HTTPTransport
import NotificationHubs
import Timestamps

/// The hubs of the namespace themselves.
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
            // As recorded: a hub that is not there is answered with the list of those that are, which is empty.
            guard let hub = hubs[key.text] else { return list([], call: call, names: names, now: now) }
            return describe(hub, status: 200, call: call, names: names)
        case .put(let isUpdate):
            if let hub = hubs[key.text] {
                guard isUpdate else { throw .conflict }
                return describe(hub, status: 200, call: call, names: names)
            }
            guard !isUpdate else { throw .noService }
            guard call.hubName.isHubName else {
                throw HubFailure(400, "The name of a hub has 1 to 260 letters, digits and . - _.")
            }
            let hub = HostedHub(name: call.hubName, created: now)
            hubs[key.text] = hub
            return describe(hub, status: 201, call: call, names: names)
        case .delete:
            guard hubs.removeValue(forKey: key.text) != nil else { throw .noService }
            changes.append(.removeAll(hub: key.text))
            return HTTPResponse(status: 200, headers: names.headers)
        case .list:
            return list(hubs.values.sorted { $0.name < $1.name }, call: call, names: names, now: now)
        case .jobs:
            throw HubFailure(501, "The emulator has no blob storage to import from or export to.")
        }
    }

    private func describe(_ hub: HostedHub, status: Int, call: HubCall, names: RequestNames) -> HTTPResponse {
        HTTPResponse(status: status, headers: names.headers)
    }

    private func list(_ hubs: [HostedHub], call: HubCall, names: RequestNames, now: Timestamp) -> HTTPResponse {
        HTTPResponse(status: 200, headers: names.headers)
    }
}

extension String {
    /// Whether a hub may have this name.
    package var isHubName: Bool {
        (1...260).contains(utf8.count)
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
