import NewsflashHTTPTransport
import NewsflashTimestamps
import NotificationHubs

/// A refusal in the form of the service.
struct HubFailure: Error, Equatable {
    var status: Int
    /// The text in the body; the body is empty if `nil`.
    var text: String?
    var retryAfter: String?
    /// The allowed methods, for 405.
    var allow: String?
    /// The reason that the service does not return, for the emulator's inspection.
    var reason: String?
    /// Details of the rejected token, for 401.
    var token: RequestRecord.Token?

    init(_ status: Int, _ text: String? = nil, retryAfter: String? = nil, reason: String? = nil) {
        self.status = status
        self.text = text
        self.retryAfter = retryAfter
        self.reason = reason
    }

    /// The service's text for an invalid payload, with the reason that the service does not return.
    static func invalidPayload(_ reason: String) -> HubFailure {
        HubFailure(400, invalidPayloadText, reason: reason)
    }
    private static let invalidPayloadText = "The supplied notification payload is invalid."
    /// The service's text for an unreadable batch, with the reason that the service does not return.
    static func noMultipart(_ reason: String) -> HubFailure {
        HubFailure(400, "Could not find a part of the multipart content supplied.", reason: reason)
    }
    static let tooLarge = HubFailure(413, "The request entity is too large: it has at most 65536 bytes.")
    static let noService = HubFailure(404, "No service is hosted at the specified address.")
    static let notInTier = HubFailure(403, "This operation is not available for your tier.")
    static let needsManage = HubFailure(401, "Manage claim is required for this operation.")
    /// As recorded: no text except the tracking id.
    static let notFound = HubFailure(404, "")
    static let gone = HubFailure(410, "Cannot use specified location. Use a different registration ID")
    static let preconditionFailed = HubFailure(412, "The ETag of the registration is another than that in If-Match.")
    static let conflict = HubFailure(409, "SubCode=40900. Conflict")

    /// The refusal of an unsupported method, with the supported ones (RFC 9110, section 15.5.6).
    static func wrongMethod(allow: [String]) -> HubFailure {
        var failure = HubFailure(405, "The specified HTTP method is not supported on this resource.")
        failure.allow = allow.joined(separator: ", ")
        return failure
    }

    static func invalidTag(_ tag: String) -> HubFailure {
        HubFailure(
            400,
            "An invalid tag '\(tag.prefix(200))' was supplied. "
                + "Valid tag characters are alphanumeric, _, @, -, ., : and #."
        )
    }

    /// The refusal with the status that a fault sets, with the service's text for it.
    static func injected(_ status: Int, tokenError: Fault.TokenError, retryAfter: String?) -> HubFailure {
        let text: String? =
            switch status {
            case 400: invalidPayloadText
            case 401: Authorization.failure(tokenError.code).text
            case 403: nil
            case 413: tooLarge.text
            case 429: "The request was throttled. Please retry after the time that the header Retry-After names."
            case 503: "The server is busy. Please retry the operation."
            case 500...: "The server was unable to process the request; please retry the operation."
            default: "The emulator was told to answer \(status)."
            }
        return HubFailure(status, text, retryAfter: retryAfter)
    }

    /// Creates the response, with the ids that the service's support would ask for.
    func response(names: RequestNames, now: Timestamp) -> HTTPResponse {
        var headers = names.headers
        if let retryAfter { headers.append("Retry-After", retryAfter) }
        if let allow { headers.append("Allow", allow) }
        guard let text else { return HTTPResponse(status: status, headers: headers) }
        headers.append("Content-Type", "application/xml; charset=utf-8")
        let detail = "\(text).TrackingId:\(names.trackingID)_G\(names.gateway),TimeStamp:\(now.americanDate)"
        let body = "<Error><Code>\(status)</Code><Detail>\(detail.escapedForXML)</Detail></Error>"
        return HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
    }
}

extension Fault.TokenError {
    fileprivate var code: SharedAccessSignatureError.Code {
        switch self {
        case .signature: .invalidSignature
        case .expired: .expired
        case .missing: .missing
        case .malformed: .malformed
        case .audience: .otherResource
        }
    }
}

extension String {
    /// The text escaped for an element. Control characters, which XML cannot represent, become spaces.
    var escapedForXML: String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "&": escaped += "&amp;"
            case "\u{0}"..<" ": escaped += " "
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension Timestamp {
    /// The time as in the service's error texts: `7/2/2020 6:33:21 PM`, in UTC.
    var americanDate: String {
        // 2020-07-02T18:33:21.000Z
        let parts = rfc3339.split { !$0.isNumber }.map { Int($0) ?? 0 }
        guard parts.count >= 6 else { return rfc3339 }
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let hour = parts[3] % 12 == 0 ? 12 : parts[3] % 12
        let half = parts[3] < 12 ? "AM" : "PM"
        return "\(parts[1])/\(parts[2])/\(parts[0]) \(hour):\(two(parts[4])):\(two(parts[5])) \(half)"
    }
}
