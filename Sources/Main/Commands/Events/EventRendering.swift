import HTTPTransport
import NotificationHubs
import Publishing
import StrictJSON
import Worker

/// One event as the requests it becomes, or as the reason why it becomes none.
struct EventRendering {
    let place: String
    let forecast: EventForecast
    let requests: [RenderedRequest]

    /// Renders.
    ///
    /// - Parameters:
    ///   - place: Where the event stands.
    ///   - forecast: What the worker would do with it.
    ///   - client: Of the hub.
    /// - Throws: `HubError`, which no template send to tags brings about.
    init(place: String, of forecast: EventForecast, by client: HubClient) throws {
        self.place = place
        self.forecast = forecast
        guard case .send(let sends) = forecast.decision else {
            requests = []
            return
        }
        requests = try sends.map { send in
            RenderedRequest(send: send, request: try client.request(for: send.message, to: .tags(send.expression)))
        }
    }

    /// The event for reading.
    var text: String {
        let name = forecast.id.map { "\(place): \($0)" } ?? place
        guard case .send = forecast.decision else { return "\(name): not sent: \(forecast.line)" }
        let facts = "\(forecast.kind ?? "event"), revision \(forecast.revision ?? 0) of \(forecast.story ?? "")"
        var lines = ["\(name): \(facts), \(counted(requests.count, "request"))"]
        let texts = forecast.texts.map { $0.locale == $0.textFrom ? $0.locale : "\($0.locale) from \($0.textFrom)" }
        lines.append("texts: " + texts.joined(separator: ", "))
        if !forecast.warnings.isEmpty { lines.append("warnings: " + forecast.warnings.joined(separator: ", ")) }
        if requests.contains(where: \.send.isTruncated) { lines.append("cut: a headline or a summary was too long") }
        if let presently = forecast.presently { lines.append("at this moment: " + presently.line) }
        return lines.joined(separator: "\n") + "\n\n" + requests.map(\.text).joined(separator: "\n\n") + "\n"
    }

    /// One JSON object for each request, or one for the event that has none.
    var json: [[UInt8]] {
        guard !requests.isEmpty else {
            return [object { _ in }]
        }
        return requests.map { request in object { request.write(to: &$0) } }
    }

    private func object(_ more: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: 2048)
        writer.beginObject()
        writer.member("place", place)
        writer.facts(of: forecast)
        if !forecast.texts.isEmpty {
            writer.name("textFrom")
            writer.beginObject()
            for text in forecast.texts { writer.member(text.locale, text.textFrom) }
            writer.endObject()
        }
        more(&writer)
        writer.endObject()
        return writer.bytes
    }
}

/// One request, fit to be shown.
struct RenderedRequest {
    let send: PlannedSend
    let request: HTTPRequest

    /// The headers without the signature.
    var headers: [HTTPHeaders.Field] {
        request.headers.fields.map { field in
            field.name == "Authorization" ? HTTPHeaders.Field(field.name, "<redacted>") : field
        }
    }

    /// The request for reading: its line, its headers, its body laid out.
    var text: String {
        let head = ["\(request.method.rawValue) \(request.url)"] + headers.map { "\($0.name): \($0.value)" }
        let body = (try? JSONReader.read(request.body))?.laidOut ?? String(decoding: request.body, as: UTF8.self)
        return head.joined(separator: "\n") + "\n\n" + body
    }

    /// Writes the request as members of the object begun.
    func write(to writer: inout JSONWriter) {
        writer.member("method", request.method.rawValue)
        writer.member("url", request.url)
        writer.name("headers")
        writer.beginObject()
        for field in headers { writer.member(field.name, field.value) }
        writer.endObject()
        writer.member("tags", send.expression.tags.map(\.description))
        writer.member("locale", send.locale)
        writer.member("template", send.template)
        writer.name("truncated")
        writer.value(send.isTruncated)
        writer.member("body", String(decoding: request.body, as: UTF8.self))
    }

    /// Makes a client for requests that are only shown.
    ///
    /// - Parameter hub: As configured.
    /// - Returns: The client, and a note where its host is a placeholder.
    /// - Throws: ``CommandError`` for a name that no hub has.
    static func client(for hub: HubSettings) throws(CommandError) -> (HubClient, note: String?) {
        var note: String?
        var connection: HubConnectionString?
        do throws(HubCredentialsError) {
            connection = try hub.credentials?.read()
            if connection == nil { note = hub.missingCredentials }
        } catch {
            note = error.description
        }
        // A new tracking id each attempt would make every output differ.
        let settings = HubClientConfiguration(trackingID: { "<new for each attempt>" })
        do {
            let placeholder =
                "Endpoint=sb://\(placeholderHost);SharedAccessKeyName=placeholder;SharedAccessKey=placeholder"
            let used = try connection ?? HubConnectionString(placeholder)
            let client = try HubClient(connection: used, hub: hub.name, configuration: settings)
            return (client, note.map { "the host \(placeholderHost) is a placeholder: \($0)" })
        } catch {
            throw CommandError(.badConfiguration, "hub \(hub.name): \(error)")
        }
    }

    private static let placeholderHost = "your-namespace.servicebus.windows.net"
}

extension JSONValue {
    /// The value over several lines, two blanks for each level.
    var laidOut: String { laidOut(indentation: "") }

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
