import NewsflashHTTPTransport
import NewsflashStrictXML
import NewsflashTimestamps
import NotificationHubs

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
        case .put(let isUpdate, let settings):
            if var hub = hubs[key.text] {
                guard isUpdate else { throw .conflict }
                hub.timeToLive = settings.timeToLive ?? hub.timeToLive
                hub.credentials = settings.credentials ?? hub.credentials
                hubs[key.text]?.timeToLive = hub.timeToLive
                hubs[key.text]?.credentials = hub.credentials
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
                timeToLive: settings.timeToLive ?? .never,
                credentials: settings.credentials
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
            credentials: hub.credentials,
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

/// A hub of the namespace with its devices.
struct HostedHub {
    /// The name as its creator spelled it.
    let name: String
    let created: Timestamp
    /// The hub's own access rules, in addition to those of the namespace.
    var rules: [AccessRule] = []
    /// The lifetime of registrations.
    var timeToLive = RegistrationTimeToLive.never
    /// The credentials of push services as their elements of the hub's description; `nil` for none. They have no effect.
    var credentials: String?
    var registry = DeviceRegistry()
}

/// The lifetime of a registration after its last write: a setting of the hub, as an ISO 8601 duration.
///
/// Source: https://learn.microsoft.com/rest/api/notificationhubs/create-notification-hub
package struct RegistrationTimeToLive: Sendable, Equatable {
    /// The longest duration of .NET, which means no expiry. The default of a new hub.
    package static let never = RegistrationTimeToLive(text: "P10675199DT2H48M5.4775807S", life: nil)
    private static let shortest = Duration.seconds(86_400)

    /// The duration as written.
    let text: String
    /// `nil` for no expiry.
    private let life: Duration?

    private init(text: String, life: Duration?) {
        self.text = text
        self.life = life
    }

    /// Parses a duration of days, hours, minutes and seconds: `P90D`, `P1DT12H`.
    ///
    /// - Throws: 400 for an invalid duration, or one of less than a day.
    init(_ text: String) throws(HubFailure) {
        guard let seconds = Self.seconds(text) else {
            throw HubFailure(400, "The value of RegistrationTtl must be a duration such as P90D.")
        }
        guard seconds < 1e11 else {
            self = Self(text: text, life: nil)
            return
        }
        let life = Duration.seconds(seconds)
        guard life >= Self.shortest else { throw HubFailure(400, "The value of RegistrationTtl is at least one day.") }
        self.init(text: text, life: life)
    }

    /// Returns the expiration of a registration that is written now; `nil` for no expiry.
    func end(from now: Timestamp) -> Timestamp? { life.map { now + $0 } }

    private static func seconds(_ text: String) -> Double? {
        guard text.first == "P", text.count > 1, text.last != "T" else { return nil }
        var units: [(Character, Double)] = [("D", 86_400), ("H", 3600), ("M", 60), ("S", 1)]
        var total = 0.0
        var digits = ""
        var isTime = false
        for character in text.dropFirst() {
            if character == "T", !isTime, digits.isEmpty {
                isTime = true
                units.removeAll { $0.0 == "D" }
            } else if character.isASCII, character.isNumber || character == "." {
                digits.append(character)
            } else {
                guard let index = units.firstIndex(where: { $0.0 == character }), isTime == (character != "D"),
                    let number = Double(digits)
                else { return nil }
                total += number * units[index].1
                units.removeFirst(index + 1)
                digits = ""
            }
        }
        return digits.isEmpty ? total : nil
    }
}
