import HTTPTransport
import StrictJSON

extension HTTPResponse {
    /// Of an answer in JSON.
    static let jsonHeaders: HTTPHeaders = [
        .init("Content-Type", "application/json"), .init("X-Content-Type-Options", "nosniff"),
    ]

    /// An answer in JSON.
    static func json(status: Int = 200, _ write: (inout JSONWriter) -> Void) -> HTTPResponse {
        var writer = JSONWriter()
        write(&writer)
        return HTTPResponse(
            status: status,
            headers: jsonHeaders,
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
