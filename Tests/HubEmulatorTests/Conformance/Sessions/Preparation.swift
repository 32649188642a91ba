import NewsflashHubRecordings
import NewsflashStrictJSON
import NewsflashStrictXML

/// Prepares a hub for a session: it writes the registrations of the session's first list, each as often as recorded.
enum Preparation {
    static func requests(for session: HubSession) -> [ScriptedRequest] {
        guard let first = session.calls.first else { return [] }
        let target = RecordedTarget(first.target)
        let query = "?" + target.query.split(separator: "&").filter { $0.hasPrefix("api-version") }.joined()
        if target.collection.isEmpty { return hubRequests(for: session, hub: "/\(target.hub)\(query)") }
        let entries = firstList(of: session)
        let installations = Dictionary(grouping: entries) { $0.systemTag("InstallationId") }
        return installations.sorted { $0.key ?? "" < $1.key ?? "" }.flatMap { installation, entries in
            guard let installation else {
                return entries.flatMap { entry in
                    [ScriptedRequest](
                        repeating: .entry("PUT", "/\(target.hub)/registrations/\(entry.id)\(query)", entry.requestBody),
                        count: entry.writes
                    )
                }
            }
            let path = "/\(target.hub)/installations/\(installation)\(query)"
            return (1...(entries.map(\.writes).max() ?? 1)).reversed().map { left in
                .json("PUT", path, body(of: installation, entries: entries, differing: left > 1 ? left : nil))
            }
        }
    }

    /// The registrations of a session's first list, from all its pages.
    private static func firstList(of session: HubSession) -> [RecordedEntry] {
        var entries: [RecordedEntry] = []
        for call in session.calls {
            guard RecordedTarget(call.target).collection == "registrations",
                case .feed(let page) = RecordedBody(call.body)
            else { break }
            entries += page
            if call["x-ms-continuationtoken"] == nil { break }
        }
        return entries
    }

    /// Deletes the hub if the session creates it or expects it to be missing.
    private static func hubRequests(for session: HubSession, hub: String) -> [ScriptedRequest] {
        let allowed = session.calls.first { $0.status != 401 }
        let isMissing = allowed.map { [201, 404].contains($0.status) || $0.body.contains("Publicly Listed") } ?? false
        return isMissing ? [ScriptedRequest(method: "DELETE", target: hub)] : []
    }

    /// The installation with these registrations: a native one, and one for each template.
    private static func body(of id: String, entries: [RecordedEntry], differing: Int?) -> [UInt8] {
        var members: [JSONMember] = [.init(name: "installationId", value: .string(id))]
        func add(_ name: String, _ value: JSONValue) { members.append(.init(name: name, value: value)) }
        let native = entries.first { !$0.description.localName.contains("Template") } ?? entries[0]
        let (platform, handle) = channel(of: native.description)
        add("platform", .string(platform))
        add("pushChannel", handle)
        if let user = native.systemTag("UserId") ?? differing.map({ "reader-\($0)" }) { add("userId", .string(user)) }
        let tags = native.tags.filter { !$0.hasPrefix("$") }
        if !tags.isEmpty { add("tags", .array(tags.map { .string($0) })) }
        if let variables = native.description.first("PushVariables").flatMap({ try? JSONReader.read($0.text) }) {
            add("pushVariables", variables)
        }
        let templates = entries.compactMap { template(of: $0, besides: native.tags) }
        if !templates.isEmpty { add("templates", .object(templates)) }
        return InstallationSynthesis.bytes(.object(members))
    }

    private static func template(of entry: RecordedEntry, besides known: [String]) -> JSONMember? {
        guard let name = entry.description.first("TemplateName")?.text,
            let body = entry.description.first("BodyTemplate")?.text
        else { return nil }
        let tags = entry.tags.filter { !known.contains($0) && !$0.hasPrefix("$") && $0 != name }
        var members = [JSONMember(name: "body", value: .string(body))]
        let headers = (entry.description.first("WnsHeaders") ?? entry.description.first("MpnsHeaders"))?.elements ?? []
        if !headers.isEmpty {
            let values = headers.map { header in
                JSONMember(name: header.first("Header")?.text ?? "", value: .string(header.first("Value")?.text ?? ""))
            }
            members.append(.init(name: "headers", value: .object(values)))
        }
        if !tags.isEmpty { members.append(.init(name: "tags", value: .array(tags.map { .string($0) }))) }
        return JSONMember(name: name, value: .object(members))
    }

    /// The platform's name in installations, and the handle.
    private static func channel(of description: XMLElement) -> (platform: String, handle: JSONValue) {
        func text(_ name: String) -> String { description.first(name)?.text ?? "" }
        let platforms = [
            ("Apple", "apns", "DeviceToken"), ("Gcm", "gcm", "GcmRegistrationId"),
            ("FcmV1", "fcmv1", "FcmV1RegistrationId"), ("Windows", "wns", "ChannelUri"), ("Mpns", "mpns", "ChannelUri"),
            ("Adm", "adm", "AdmRegistrationId"),
        ]
        if let known = platforms.first(where: { description.localName.hasPrefix($0.0) }) {
            return (known.1, .string(text(known.2)))
        }
        if description.localName.hasPrefix("Baidu") {
            return ("baidu", .string("\(text("BaiduUserId"))-\(text("BaiduChannelId"))"))
        }
        let keys = [("endpoint", "Endpoint"), ("p256dh", "P256DH"), ("auth", "Auth")]
        return ("browser", .object(keys.map { JSONMember(name: $0, value: .string(text($1))) }))
    }
}

extension RecordedEntry {
    /// The number of writes, at most nine.
    fileprivate var writes: Int { min(max(etag ?? 1, 1), 9) }
}
