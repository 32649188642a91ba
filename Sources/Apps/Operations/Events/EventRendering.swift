package import NotificationHubs
import Publishing
import Rendering
import StrictJSON
import Timestamps
import Worker

/// The requests for one event, or the reason why there are none.
package struct EventRendering {
    package let place: String
    package let forecast: EventForecast
    package let requests: [RenderedRequest]

    /// Renders the requests for an event.
    ///
    /// - Parameters:
    ///   - place: The file and line of the event.
    ///   - forecast: The forecast for the event.
    ///   - clients: The clients of the hubs, by the labels of the hubs.
    ///   - templates: The templates of devices, with the names of their files.
    /// - Throws: `HubError`, which sends to tags do not cause.
    package init(
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
            // Native payloads do not use templates.
            let notifications = (send.platform == PayloadFormat.template.rawValue ? templates : []).map {
                DeviceNotification(of: send.message.body, by: $0.template, name: $0.name)
            }
            return RenderedRequest(send: send, request: request, notifications: notifications)
        }
    }

    /// The number of notifications that push services would reject.
    package var faults: Int { requests.reduce(0) { $0 + $1.notifications.count { $0.fault != nil } } }

    /// The requests as text for people.
    package var text: String {
        let name = forecast.id.map { "\(place): \($0)" } ?? place
        guard case .send = forecast.decision else { return "\(name): not sent: \(forecast.line)" }
        let facts = "\(forecast.kind ?? "event"), revision \(forecast.revision ?? 0) of \(forecast.story ?? "")"
        var lines = ["\(name): \(facts), \(counted(requests.count, "request"))"]
        let texts = forecast.texts.map { $0.locale == $0.textFrom ? $0.locale : "\($0.locale) from \($0.textFrom)" }
        if requests.first?.send.template == SecureNotice.template {
            lines.append("texts: the notice of text.secure instead of its own")
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

    /// One JSON object for each request, or one object if there is no request.
    package var json: [[UInt8]] {
        guard !requests.isEmpty else {
            return [object { _ in }]
        }
        return requests.map { request in object { request.write(to: &$0) } }
    }

    private func object(_ more: (inout JSONWriter) -> Void) -> [UInt8] {
        JSONWriter.object(reservingCapacity: 2048) { writer in
            writer.member("place", place)
            writer.facts(of: forecast)
            if !forecast.texts.isEmpty {
                writer.name("textFrom")
                writer.beginObject()
                for text in forecast.texts { writer.member(text.locale, text.textFrom) }
                writer.endObject()
            }
            more(&writer)
        }
    }
}
