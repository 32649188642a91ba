import HTTPTransport
import NotificationHubs
import Timestamps

/// A refusal as the service words it.
struct HubFailure: Error, Equatable {
    var status: Int
    /// The text of the body; an empty body where there is none.
    var text: String?
    var retryAfter: String?
    /// With 405: the methods that there are.
    var allow: String?
    /// What the service does not tell its client, for those who look at the emulator.
    var reason: String?
    /// With 401: what the token was made for.
    var token: RequestRecord.Token?

    init(_ status: Int, _ text: String? = nil, retryAfter: String? = nil, reason: String? = nil) {
        self.status = status
        self.text = text
        self.retryAfter = retryAfter
        self.reason = reason
    }

    static let invalidPayload = HubFailure(400, "The supplied notification payload is invalid.")
    static let tooLarge = HubFailure(413, "The request entity is too large: it has at most 65536 bytes.")
    static let noMultipart = HubFailure(400, "Could not find a part of the multipart content supplied.")
    static let noService = HubFailure(404, "No service is hosted at the specified address.")
    static let notInTier = HubFailure(403, "This operation is not available for your tier.")
    static let needsManage = HubFailure(401, "Manage claim is required for this operation.")
    /// As recorded: no words, only the tracking id.
    static let notFound = HubFailure(404, "")
    static let gone = HubFailure(410, "Cannot use specified location. Use a different registration ID")
    static let preconditionFailed = HubFailure(412, "The ETag of the registration is another than that in If-Match.")
    static let conflict = HubFailure(409, "SubCode=40900. Conflict")

    /// A method that a resource does not have, with those that it has (RFC 9110, section 15.5.6).
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

    /// The words for a status that a fault asked for.
    static func injected(_ status: Int, tokenError: Fault.TokenError, retryAfter: String?) -> HubFailure {
        let text: String? =
            switch status {
            case 400: invalidPayload.text
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

    /// The answer, with the names under which support would find it.
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
