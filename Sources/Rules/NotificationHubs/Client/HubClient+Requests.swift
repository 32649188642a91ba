import HTTPTransport
import Timestamps

// Requests for all but messages.
extension HubClient {
    /// A request below the hub's address; a new tracking id each time, so build one an attempt.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: Behind the hub's address, percent-encoded, without a slash before it.
    ///   - query: Further parameters, percent-encoded, each with `&` before it.
    ///   - contentType: Of the body; nothing where there is none.
    ///   - ifMatch: The value of `If-Match`.
    ///   - body: Empty for none.
    /// - Returns: Ready for a transport.
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
    /// The part of a path that names something of the caller's.
    ///
    /// - Parameters:
    ///   - id: Such as a registration's id.
    ///   - operation: For the error.
    /// - Returns: Percent-encoded.
    /// - Throws: ``HubError`` for an id that would lead elsewhere or nowhere.
    static func segment(_ id: String, for operation: HubClientOperation) throws(HubError) -> String {
        guard (1...512).contains(id.utf8.count), id.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), id != ".", id != ".."
        else {
            throw HubError(
                .invalidDevice,
                "\(operation.phrase) was not tried: an id has 1 to 512 bytes without blanks and controls",
                operation: operation
            )
        }
        return PercentEncoding.encode(id)
    }
}
