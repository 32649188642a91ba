import NewsflashHTTPTransport
import NewsflashStrictJSON
import NotificationHubs

/// One request that changes what a hub stores.
enum KeptHubStep {
    /// A request about the devices of a hub.
    enum OfDevice {
        case install(Installation)
        case patch(id: String, KeptHubPatch)
        case uninstall(id: String)
        case register(RegistrationDescription)
        /// The condition is an ETag.
        case write(id: String, RegistrationDescription, condition: Int64?)
        case unregister(id: String, condition: Int64?)
    }

    case makeHub(String, days: Int?)
    case changeHub(String, days: Int)
    case removeHub(String)
    case removeDevices
    case device(hub: String, OfDevice)

    /// Creates the request, without a token.
    func request(to url: String) throws -> HTTPRequest {
        switch self {
        case .makeHub(let name, let days): return Self.hub("PUT", name, days: days, at: url)
        case .changeHub(let name, let days):
            return Self.hub("PUT", name, days: days, headers: [.init("If-Match", "*")], at: url)
        case .removeHub(let name): return Self.hub("DELETE", name, at: url)
        case .removeDevices: return HTTPRequest(method: .delete, url: url + "/_emulator/devices")
        case .device(let hub, let step): return try step.request(to: "\(url)/\(hub)")
        }
    }

    private static func hub(
        _ method: String,
        _ name: String,
        days: Int? = nil,
        headers: HTTPHeaders = [],
        at url: String
    ) -> HTTPRequest {
        let body = days.map {
            "<NotificationHubDescription><RegistrationTtl>P\($0)D</RegistrationTtl></NotificationHubDescription>"
        }
        return HTTPRequest(
            method: HTTPMethod(rawValue: method),
            url: "\(url)/\(name)?api-version=2017-04",
            headers: headers,
            body: Array((body ?? "").utf8)
        )
    }
}

extension KeptHubStep.OfDevice {
    fileprivate func request(to hub: String) throws -> HTTPRequest {
        switch self {
        case .install(let installation):
            Self.request("PUT", "\(hub)/installations/\(installation.id)", InstallationJSON.write(installation))
        case .patch(let id, let patch): Self.request("PATCH", "\(hub)/installations/\(id)", patch.json)
        case .uninstall(let id): Self.request("DELETE", "\(hub)/installations/\(id)")
        case .register(let description):
            Self.request("POST", "\(hub)/registrations", try RegistrationXML.request(description))
        case .write(let id, let description, let condition):
            Self.request("PUT", "\(hub)/registrations/\(id)", try RegistrationXML.request(description), condition)
        case .unregister(let id, let condition):
            Self.request("DELETE", "\(hub)/registrations/\(id)", [], condition)
        }
    }

    private static func request(
        _ method: String,
        _ url: String,
        _ body: [UInt8] = [],
        _ condition: Int64? = nil
    ) -> HTTPRequest {
        HTTPRequest(
            method: HTTPMethod(rawValue: method),
            url: url + "?api-version=2020-06",
            headers: condition.map { [.init("If-Match", "W/\"\($0)\"")] } ?? [],
            body: body
        )
    }
}

/// A change to a part of an installation.
enum KeptHubPatch {
    case setTags([Tag])
    case addTag(Tag)
    case removeTag(Tag)
    case setUser(String)
    case setTemplate(InstallationTemplate)
    case removeTemplate(String)

    /// Applies the change to an installation.
    func apply(to installation: inout Installation) {
        switch self {
        case .setTags(let tags): installation.tags = tags
        case .addTag(let tag): if !installation.tags.contains(tag) { installation.tags.append(tag) }
        case .removeTag(let tag): installation.tags.removeAll { $0 == tag }
        case .setUser(let user): installation.userID = user
        case .setTemplate(let template):
            if let index = installation.templates.firstIndex(where: { $0.name == template.name }) {
                installation.templates[index] = template
            } else {
                installation.templates.append(template)
            }
        case .removeTemplate(let name): installation.templates.removeAll { $0.name == name }
        }
    }

    /// The body of the request.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginArray()
        writer.beginObject()
        switch self {
        case .setTags(let tags):
            Self.write("replace", "/tags", to: &writer)
            writer.beginArray()
            for tag in tags { writer.value(tag.description) }
            writer.endArray()
        case .addTag(let tag):
            Self.write("add", "/tags", to: &writer)
            writer.value(tag.description)
        case .removeTag(let tag): Self.write("remove", "/tags/\(tag)", to: &writer)
        case .setUser(let user):
            Self.write("replace", "/userId", to: &writer)
            writer.value(user)
        case .setTemplate(let template):
            Self.write("add", "/templates/\(template.name)", to: &writer)
            writer.beginObject()
            writer.name("body")
            writer.value(template.body)
            writer.endObject()
        case .removeTemplate(let name): Self.write("remove", "/templates/\(name)", to: &writer)
        }
        writer.endObject()
        writer.endArray()
        return writer.bytes
    }

    private static func write(_ operation: String, _ path: String, to writer: inout JSONWriter) {
        writer.name("op")
        writer.value(operation)
        writer.name("path")
        writer.value(path)
        if operation != "remove" { writer.name("value") }
    }
}
