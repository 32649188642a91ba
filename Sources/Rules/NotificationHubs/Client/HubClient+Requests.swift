import HTTPTransport
import Timestamps

// Requests other than sends.
extension HubClient {
    /// Creates a request to a path of the hub. Each request has a new tracking ID, so create one for each attempt.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path after the hub's URL, percent-encoded, without a leading slash.
    ///   - query: Additional parameters, percent-encoded, each with a leading `&`.
    ///   - contentType: The type of the body; `nil` if there is no body.
    ///   - ifMatch: The value of `If-Match`.
    ///   - body: The body; may be empty.
    /// - Returns: The request.
    func request(
        _ method: HTTPMethod,
        _ path: String,
        query: String = "",
        contentType: String? = nil,
        ifMatch: String? = nil,
        body: [UInt8] = []
    ) -> HTTPRequest {
        var headers = HTTPHeaders(copying: tokens.field(now: clock()), reserving: 256)
        if let contentType { headers.append("Content-Type", contentType) }
        if let ifMatch { headers.append("If-Match", ifMatch) }
        headers.append("TrackingId", configuration.trackingID())
        headers.append("User-Agent", configuration.userAgent)
        let url = "\(hubURL)/\(path)?api-version=\(configuration.apiVersion)\(query)"
        return HTTPRequest(method: method, url: url, headers: headers, body: body)
    }
}

extension HubClient {
    /// Encodes an ID as one segment of a path.
    ///
    /// - Parameters:
    ///   - id: An ID given by the caller, for example of a registration.
    ///   - operation: The operation, for the error.
    /// - Returns: The percent-encoded ID.
    /// - Throws: ``HubError`` if the ID is empty, longer than 512 bytes, `.` or `..`, or contains blanks or control characters.
    static func segment(_ id: String, for operation: HubClientOperation) throws(HubError) -> String {
        guard (1...512).contains(id.utf8.count), id.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), id != ".", id != ".."
        else {
            throw HubError(
                .invalidDevice,
                "\(operation.phrase) was not tried: an ID must have 1 to 512 bytes without blanks and controls",
                operation: operation
            )
        }
        return PercentEncoding.encode(id)
    }
}
