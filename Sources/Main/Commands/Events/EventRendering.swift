import NotificationHubs
import Publishing
import StrictJSON

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
