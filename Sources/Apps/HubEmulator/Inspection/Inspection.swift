import HTTPTransport
import NotificationHubs
import StrictJSON
import Timestamps

/// Shows what the emulator has seen, as JSON below `/_emulator`. Asks for no token: it is for tests on the same machine.
///
/// - `GET sends?after=N&limit=M`: accepted sends after a sequence number (at most 1,000 a page), with the number given last.
/// - `DELETE sends`: forgets sends and counts.
/// - `GET stats`: counts.
/// - `GET`, `PUT`, `DELETE faults`: what goes wrong; see ``FaultReader``.
enum Inspection {
    private static let largestPage = 1000

    static func answer(
        _ request: EmulatedRequest,
        segments: [String],
        target: RequestTarget,
        hub: inout EmulatedHub,
        now: Timestamp
    ) -> HTTPResponse {
        switch (request.method, segments) {
        case ("GET", ["sends"]):
            let after = target.value(of: "after").map { Int64($0) } ?? 0
            let limit = target.value(of: "limit").map { Int($0) } ?? largestPage
            guard let after, let limit, limit > 0 else { return problem(400, "after and limit are whole numbers") }
            return json(sends(hub.log.records(after: after, limit: min(limit, largestPage)), last: hub.log.last))
        case ("DELETE", ["sends"]):
            hub.reset()
            return HTTPResponse(status: 204)
        case ("GET", ["stats"]): return json(stats(hub))
        case ("GET", ["faults"]): return json(faults(hub.currentFaults(now: now)))
        case ("DELETE", ["faults"]):
            hub.setFaults([], now: now)
            return HTTPResponse(status: 204)
        case ("PUT", ["faults"]):
            do {
                hub.setFaults(try FaultReader.read(request.body), now: now)
                return json(faults(hub.currentFaults(now: now)))
            } catch {
                return problem(400, error.description)
            }
        case (_, ["sends"]), (_, ["stats"]), (_, ["faults"]): return problem(405, "not with this method")
        default: return problem(404, "below /_emulator are sends, stats and faults")
        }
    }

    private static func sends(_ records: [SendRecord], last: Int64) -> JSONWriter {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("last")
        writer.value(last)
        writer.name("sends")
        writer.beginArray()
        for record in records { write(record, to: &writer) }
        writer.endArray()
        writer.endObject()
        return writer
    }

    private static func write(_ record: SendRecord, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("sequence")
        writer.value(record.sequence)
        func text(_ name: String, _ value: String?) {
            guard let value else { return }
            writer.name(name)
            writer.value(value)
        }
        text("time", record.time.rfc3339)
        text("kind", record.kind.rawValue)
        if record.isTest {
            writer.name("test")
            writer.value(true)
        }
        text("format", record.format.rawValue)
        text("tags", record.expression?.description)
        if !record.handles.isEmpty {
            writer.name("handles")
            writer.beginArray()
            for handle in record.handles { writer.value(handle) }
            writer.endArray()
        }
        writer.name("headers")
        writer.beginObject()
        var seen: Set<String> = []
        for field in record.headers.fields where seen.insert(field.name.lowercased()).inserted {
            text(field.name.lowercased(), field.value)
        }
        writer.endObject()
        text("body", record.text)
        text("clientTrackingId", record.clientTrackingID)
        text("trackingId", record.trackingID)
        text("notificationId", record.notificationID)
        writer.endObject()
    }

    private static func stats(_ hub: EmulatedHub) -> JSONWriter {
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in [
            ("received", hub.statistics.received), ("accepted", hub.statistics.accepted),
            ("faults", hub.statistics.faults), ("kept", hub.log.count),
        ] {
            writer.name(name)
            writer.value(value)
        }
        writer.name("byStatus")
        writer.beginObject()
        for (status, count) in hub.statistics.byStatus.sorted(by: { $0.key < $1.key }) {
            writer.name(String(status))
            writer.value(count)
        }
        writer.endObject()
        writer.endObject()
        return writer
    }

    private static func faults(_ faults: [Fault]) -> JSONWriter {
        var writer = JSONWriter()
        writer.beginArray()
        for fault in faults { FaultWriter.write(fault, to: &writer) }
        writer.endArray()
        return writer
    }

    private static func json(_ writer: JSONWriter) -> HTTPResponse {
        HTTPResponse(status: 200, headers: [.init("Content-Type", "application/json")], body: writer.bytes)
    }

    private static func problem(_ status: Int, _ message: String) -> HTTPResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("error")
        writer.value(message)
        writer.endObject()
        var response = json(writer)
        response.status = status
        return response
    }
}
