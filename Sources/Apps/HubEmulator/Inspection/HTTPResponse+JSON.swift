import HTTPTransport
import StrictJSON

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
            writer.name("error")
            writer.value(message)
            writer.endObject()
        }
    }
}
