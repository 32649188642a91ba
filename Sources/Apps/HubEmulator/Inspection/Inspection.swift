import HTTPTransport
import StrictJSON
import Timestamps

/// Shows what the emulator has seen, as JSON below `/_emulator`. Asks for no token: it is for people and tests on the same
/// machine. Described in `schemas/hub-emulator.openapi.yaml`.
struct Inspection {
    private static let largestPage = 1000

    let request: EmulatedRequest
    let segments: [String]
    let target: RequestTarget
    /// As the client knows the emulator.
    let host: String
    let now: Timestamp

    /// Answers from the hub's state, which some requests change.
    func answer(_ hub: inout EmulatedHub, about emulator: EmulatorFacts) -> HTTPResponse {
        switch (request.method, segments) {
        case ("GET", ["hub"]): return .json { emulator.write(to: &$0, hub: hub) }
        case ("GET", ["token"]): return token(about: emulator)
        case ("GET", ["sends"]): return sends(hub)
        case ("DELETE", ["sends"]):
            hub.reset()
            return HTTPResponse(status: 204)
        case ("GET", ["deliveries"]): return deliveries(hub)
        case ("DELETE", ["devices"]):
            hub.removeDevices()
            return HTTPResponse(status: 204)
        case ("GET", ["stats"]): return .json { hub.statistics.write(to: &$0, hub: hub) }
        case ("GET", ["faults"]): return faults(hub)
        case ("DELETE", ["faults"]):
            hub.setFaults(FaultSet(), now: now)
            return HTTPResponse(status: 204)
        case ("PUT", ["faults"]):
            do {
                hub.setFaults(try FaultReader.read(request.body), now: now)
                return faults(hub)
            } catch {
                return .problem(400, error.description)
            }
        case ("GET", let path) where path.first == "feedback": return feedback(hub)
        case (_, let path) where Self.names.contains(path.first ?? "") && path.count == 1:
            return .problem(405, "not with this method")
        default: return .problem(404, "below /_emulator are \(Self.names.joined(separator: ", "))")
        }
    }

    private static let names = [
        "hub", "token", "sends", "deliveries", "devices", "stats", "faults", "events", "news", "feedback",
    ]

    // MARK: Pages

    // The `last` of a page is where the next one goes on: a page that is not full has seen everything.

    private func sends(_ hub: EmulatedHub) -> HTTPResponse {
        guard let page else { return .problem(400, "after and limit are whole numbers") }
        let records = hub.log.records(after: page.after, limit: page.limit)
        let last = records.count == page.limit ? records.last?.sequence ?? 0 : hub.log.last
        return .json { writer in
            writer.beginObject()
            writer.name("last")
            writer.value(last)
            writer.name("sends")
            writer.beginArray()
            for record in records { record.write(to: &writer) }
            writer.endArray()
            writer.endObject()
        }
    }

    private func deliveries(_ hub: EmulatedHub) -> HTTPResponse {
        guard let page else { return .problem(400, "after and limit are whole numbers") }
        let send = target.value(of: "send").map { Int64($0) }
        if let send, send == nil { return .problem(400, "send is the sequence number of a send") }
        let installations = Set(target.values(of: "installation").map { $0.lowercased() })
        let registrations = Set(target.values(of: "registration"))
        let handles = Set(target.values(of: "handle"))
        let isOfAll = installations.isEmpty && registrations.isEmpty && handles.isEmpty
        let found = hub.deliveries.deliveries(after: page.after, limit: page.limit) { delivery in
            if let send, delivery.send != send { return false }
            return isOfAll || handles.contains(delivery.handle)
                || delivery.installationID.map { installations.contains($0.lowercased()) } ?? false
                || (!registrations.isEmpty && delivery.registrationID.map(registrations.contains) ?? false)
        }
        let last = found.count == page.limit ? found.last?.sequence ?? 0 : hub.deliveries.last
        return .json { writer in
            writer.beginObject()
            writer.name("last")
            writer.value(last)
            writer.name("deliveries")
            writer.beginArray()
            for delivery in found {
                delivery.write(to: &writer, notificationID: hub.log[delivery.send]?.notificationID)
            }
            writer.endArray()
            writer.endObject()
        }
    }

    /// After which sequence number, and how many.
    private var page: (after: Int64, limit: Int)? {
        let after = target.value(of: "after").map { Int64($0) } ?? 0
        let limit = target.value(of: "limit").map { Int($0) } ?? Self.largestPage
        guard let after, let limit, limit > 0 else { return nil }
        return (after, min(limit, Self.largestPage))
    }

    // MARK: Others

    private func token(about emulator: EmulatorFacts) -> HTTPResponse {
        let end = now + .seconds(3600)
        guard let token = emulator.token(host: host, end: end) else {
            return .problem(404, "the emulator has no rule to sign with")
        }
        var response = HTTPResponse.json { writer in
            writer.beginObject()
            writer.name("token")
            writer.value(token)
            writer.name("expires")
            writer.value(end.rfc3339)
            writer.name("apiVersion")
            writer.value(APIVersion.newest)
            writer.endObject()
        }
        response.headers.append("Cache-Control", "no-store")
        return response
    }

    private func faults(_ hub: EmulatedHub) -> HTTPResponse {
        .json { FaultWriter.write(hub.currentFaults(now: now), to: &$0) }
    }

    /// The records of the service's feedback container, a JSON object a line: handles that a push service refused.
    private func feedback(_ hub: EmulatedHub) -> HTTPResponse {
        let refused: Set<String> = ["BadChannel", "ExpiredChannel", "WrongToken"]
        let found = hub.deliveries.deliveries(after: 0, limit: .max) { refused.contains($0.outcome.rawValue) }
        var body: [UInt8] = []
        for delivery in found {
            var writer = JSONWriter()
            delivery.writeFeedback(to: &writer, notificationID: hub.log[delivery.send]?.notificationID)
            body += writer.bytes + [UInt8(ascii: "\n")]
        }
        return HTTPResponse(status: 200, headers: [.init("Content-Type", "application/x-ndjson")], body: body)
    }
}

extension HTTPResponse {
    /// An answer in JSON.
    static func json(status: Int = 200, _ write: (inout JSONWriter) -> Void) -> HTTPResponse {
        var writer = JSONWriter()
        write(&writer)
        return HTTPResponse(
            status: status,
            headers: [.init("Content-Type", "application/json"), .init("X-Content-Type-Options", "nosniff")],
            body: writer.bytes
        )
    }

    /// An answer that says what is wrong with a request.
    static func problem(_ status: Int, _ message: String) -> HTTPResponse {
        json(status: status) { writer in
            writer.beginObject()
            writer.name("error")
            writer.value(message)
            writer.endObject()
        }
    }
}
