import NotificationHubs
import Publishing
import Rendering
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
    ///   - clients: Of the hubs, by what requests call them.
    ///   - templates: Of devices, by the names of their files.
    /// - Throws: `HubError`, which no send to tags brings about.
    init(
        place: String,
        of forecast: EventForecast,
        by clients: [String: HubClient],
        templates: [(name: String, template: NotificationTemplate)] = []
    ) throws {
        self.place = place
        self.forecast = forecast
        guard case .send(let sends) = forecast.decision else {
            requests = []
            return
        }
        requests = try sends.compactMap { send in
            guard let client = clients[send.hub] else { return nil }
            let request = try client.request(for: send.message, to: .tags(send.expression))
            // A native payload reaches devices as it is.
            let notifications = (send.platform == SendForm.template.rawValue ? templates : []).map {
                DeviceNotification(of: send.message.body, by: $0.template, name: $0.name)
            }
            return RenderedRequest(send: send, request: request, notifications: notifications)
        }
    }

    /// How many notifications the push services would not take.
    var faults: Int { requests.reduce(0) { $0 + $1.notifications.count { $0.fault != nil } } }

    /// The event for reading.
    var text: String {
        let name = forecast.id.map { "\(place): \($0)" } ?? place
        guard case .send = forecast.decision else { return "\(name): not sent: \(forecast.line)" }
        let facts = "\(forecast.kind ?? "event"), revision \(forecast.revision ?? 0) of \(forecast.story ?? "")"
        var lines = ["\(name): \(facts), \(counted(requests.count, "request"))"]
        let texts = forecast.texts.map { $0.locale == $0.textFrom ? $0.locale : "\($0.locale) from \($0.textFrom)" }
        if requests.first?.send.template == SecureNotice.template {
            lines.append("texts: none of its own, but the notice of text.secure")
        } else {
            lines.append("texts: " + texts.joined(separator: ", "))
        }
        if !forecast.warnings.isEmpty { lines.append("warnings: " + forecast.warnings.joined(separator: ", ")) }
        if let remark = forecast.remark { lines.append("note: " + remark) }
        if requests.contains(where: \.send.isTruncated) { lines.append("cut: a headline or a summary was too long") }
        if let presently = forecast.presently { lines.append("at this moment: " + presently.line) }
        return lines.joined(separator: "\n") + "\n\n" + shown.joined(separator: "\n\n") + "\n"
    }

    private var shown: [String] {
        requests.map { $0.notifications.isEmpty ? $0.text : $0.textOfDevices }
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
