package import NewsflashHTTPTransport
package import NewsflashPublishing
package import NewsflashStrictJSON
package import NewsflashWorker
package import NotificationHubs

/// One request for display, without its signature.
package struct RenderedRequest {
    package let send: PlannedSend
    package let request: HTTPRequest
    /// The resulting notification for each given template.
    package var notifications: [DeviceNotification] = []

    /// The headers without the signature.
    package var headers: [HTTPHeaders.Field] {
        request.headers.fields.map { field in
            field.name == "Authorization" ? HTTPHeaders.Field(field.name, "<redacted>") : field
        }
    }

    /// The request as text for people: its line, its headers and its formatted body.
    package var text: String {
        let head = ["\(request.method.rawValue) \(request.url)"] + headers.map { "\($0.name): \($0.value)" }
        let body = (try? JSONReader.read(request.body))?.laidOut ?? String(decoding: request.body, as: UTF8.self)
        return head.joined(separator: "\n") + "\n\n" + body
    }

    /// The tags with the language, such as `World || Sports (en)`.
    package var audience: String { send.expression.description + (send.locale.map { " (\($0))" } ?? "") }

    /// The notifications as text for people, each with its audience.
    var textOfDevices: String {
        notifications.map { "to \(audience), \($0.text)" }.joined(separator: "\n\n")
    }

    /// Writes the request as members of the current object.
    package func write(to writer: inout JSONWriter) {
        writer.member("method", request.method.rawValue)
        writer.member("url", request.url)
        writer.name("headers")
        writer.beginObject()
        for field in headers { writer.member(field.name, field.value) }
        writer.endObject()
        writer.member("tags", send.expression.tags.map(\.description))
        writer.member("locale", send.locale)
        writer.member("template", send.template)
        writer.member("truncated", send.isTruncated)
        writer.member("body", String(decoding: request.body, as: UTF8.self))
        guard !notifications.isEmpty else { return }
        writer.member("notifications", each: notifications) { writer, notification in notification.write(to: &writer) }
    }

    /// Makes a client for each hub, for requests that are only shown.
    ///
    /// - Returns: The clients by the labels of their hubs, and a note for each hub whose host is a placeholder.
    /// - Throws: ``OperationError`` if a hub name is invalid.
    package static func clients(for hubs: [HubSettings]) throws(OperationError) -> (
        clients: [String: HubClient], notes: [String]
    ) {
        var clients: [String: HubClient] = [:]
        var notes: [String] = []
        for hub in hubs {
            let (client, note) = try client(for: hub)
            clients[hub.label] = client
            if let note { notes.append(note) }
        }
        return (clients, notes)
    }

    private static func client(for hub: HubSettings) throws(OperationError) -> (HubClient, note: String?) {
        var note: String?
        var connection: HubConnectionString?
        do throws(HubCredentialsError) {
            connection = try hub.credentials?.read()
            if connection == nil { note = hub.missingCredentials }
        } catch {
            note = error.description
        }
        // Otherwise the output would differ each time, because each attempt has a new tracking id.
        let settings = HubClientConfiguration(trackingID: { "<new for each attempt>" })
        do {
            let placeholder =
                "Endpoint=sb://\(placeholderHost);SharedAccessKeyName=placeholder;SharedAccessKey=placeholder"
            let used = try connection ?? HubConnectionString(placeholder)
            let client = try HubClient(connection: used, hub: hub.name, configuration: settings)
            return (client, note.map { "the host \(placeholderHost) is a placeholder: \($0)" })
        } catch {
            throw OperationError(.badConfiguration, "hub \(hub.name): \(error)")
        }
    }

    private static let placeholderHost = "your-namespace.servicebus.windows.net"
}

extension JSONValue {
    /// The value on several lines, indented by two spaces for each level.
    package var laidOut: String { laidOut(indentation: "") }

    private func laidOut(indentation: String) -> String {
        let deeper = indentation + "  "
        func lines(_ items: [String], _ open: String, _ close: String) -> String {
            guard !items.isEmpty else { return open + close }
            let inner = items.map { deeper + $0 }.joined(separator: ",\n")
            return "\(open)\n\(inner)\n\(indentation)\(close)"
        }
        switch self {
        case .array(let elements):
            return lines(elements.map { $0.laidOut(indentation: deeper) }, "[", "]")
        case .object(let members):
            let items = members.map { member in
                "\(JSONValue.string(member.name).compact): \(member.value.laidOut(indentation: deeper))"
            }
            return lines(items, "{", "}")
        default:
            return compact
        }
    }

    private var compact: String {
        var writer = JSONWriter()
        writer.value(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
