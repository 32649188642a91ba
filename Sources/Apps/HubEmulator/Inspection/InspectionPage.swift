import NewsflashHTTPTransport
import NewsflashStrictJSON

/// A page of recorded entries: the requested number, or as many as fit.
///
/// The next page starts after its `last`. A page that is not full contains everything up to now.
enum InspectionPage {
    /// The maximum number of entries in a page.
    static let mostEntries = 1000
    /// The size limit in bytes; a page ends with the entry that exceeds it.
    private static let mostBytes = 4 << 20

    /// Writes a page.
    ///
    /// - Parameters:
    ///   - name: The name of the member that contains the entries.
    ///   - entries: The entries; at most `limit`.
    ///   - limit: The requested number of entries.
    ///   - last: The last assigned sequence number.
    ///   - sequence: Returns the sequence number of an entry.
    ///   - write: Writes an entry.
    /// - Returns: The response.
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
            writer.member("last", end)
            writer.name(name)
        }
        return HTTPResponse(
            status: 200,
            headers: HTTPResponse.jsonHeaders,
            body: head + list.bytes + [UInt8(ascii: "}")]
        )
    }
}

extension JSONWriter {
    /// An object without its closing brace.
    fileprivate static func object(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        write(&writer)
        return writer.bytes
    }
}

extension HTTPResponse {
    /// The headers of a JSON response.
    static let jsonHeaders: HTTPHeaders = [
        .init("Content-Type", "application/json"), .init("X-Content-Type-Options", "nosniff"),
    ]

    /// Creates a JSON response.
    static func json(status: Int = 200, _ write: (inout JSONWriter) -> Void) -> HTTPResponse {
        var writer = JSONWriter()
        write(&writer)
        return HTTPResponse(
            status: status,
            headers: jsonHeaders,
            body: writer.bytes
        )
    }

    /// Creates a response with an error message.
    static func problem(_ status: Int, _ message: String) -> HTTPResponse {
        json(status: status) { writer in
            writer.beginObject()
            writer.member("error", message)
            writer.endObject()
        }
    }
}
