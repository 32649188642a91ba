import HTTPTransport
import StrictJSON

/// A page of what the emulator has seen: as many entries as were asked for, or as fit.
///
/// Its `last` is where the next page goes on: a page that is not full has seen everything.
enum InspectionPage {
    /// The most entries of a page.
    static let mostEntries = 1000
    /// A page ends with the entry that makes it larger.
    private static let mostBytes = 4 << 20

    /// Writes a page.
    ///
    /// - Parameters:
    ///   - name: Of the member with the entries.
    ///   - entries: At most `limit`.
    ///   - limit: How many were asked for.
    ///   - last: The number given last to anything.
    ///   - sequence: An entry's number.
    ///   - write: Writes an entry.
    /// - Returns: The answer.
    static func answer<Entry>(
        _ name: String,
        _ entries: [Entry],
        limit: Int,
        last: Int64,
        sequence: (Entry) -> Int64,
        write: (Entry, inout JSONWriter) -> Void
    ) -> HTTPResponse {
        var list = JSONWriter()
        list.beginArray()
        var written = 0
        for entry in entries where list.bytes.count <= mostBytes {
            write(entry, &list)
            written += 1
        }
        list.endArray()
        let isFull = written == limit || written < entries.count
        let end = isFull ? entries[..<written].last.map(sequence) ?? 0 : last
        let head = JSONWriter.object { writer in
            writer.name("last")
            writer.value(end)
            writer.name(name)
        }
        return HTTPResponse(
            status: 200,
            headers: HTTPResponse.jsonHeaders,
            body: head + list.bytes + [UInt8(ascii: "}")]
        )
    }

    /// Writes a page of deliveries, a JSON object a line; its `Link` leads to the next one, where there is one.
    ///
    /// - Parameters:
    ///   - found: More than `limit` where there are more.
    ///   - limit: How many were asked for.
    ///   - path: Where the list lies.
    ///   - write: Writes a line.
    /// - Returns: The answer.
    static func lines(
        _ found: [Delivery],
        limit: Int,
        path: String,
        write: (Delivery, inout JSONWriter) -> Void
    ) -> HTTPResponse {
        var body: [UInt8] = []
        var written = 0
        for delivery in found.prefix(limit) where body.count <= mostBytes {
            var writer = JSONWriter(appendingTo: body)
            body = []
            write(delivery, &writer)
            body = writer.takeBytes()
            body.append(UInt8(ascii: "\n"))
            written += 1
        }
        var headers: HTTPHeaders = [.init("Content-Type", "application/x-ndjson")]
        if written < found.count, let last = found[..<written].last {
            headers.append("Link", "<\(path)?after=\(last.sequence)&limit=\(limit)>; rel=\"next\"")
        }
        return HTTPResponse(status: 200, headers: headers, body: body)
    }
}

extension JSONWriter {
    /// An object that is not ended yet.
    fileprivate static func object(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        write(&writer)
        return writer.bytes
    }
}
