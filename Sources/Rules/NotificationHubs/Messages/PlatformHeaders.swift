import HTTPTransport

/// Checks the headers of a message.
enum PlatformHeaders {
    /// Headers set by the client or the transport, or with a meaning that a message must not change.
    private static let reserved: Set<String> = [
        "authorization", "connection", "content-encoding", "content-length", "content-type", "cookie", "expect", "host",
        "proxy-authorization", "te", "trackingid", "trailer", "transfer-encoding", "upgrade", "user-agent",
    ]
    private static let hubPrefix = "servicebusnotification-"
    private static let apnsExpiry = "servicebusnotification-apns-expiry"

    static func check(_ headers: HTTPHeaders) throws(HubMessageError) {
        switch headers.soundness {
        case .sound: break
        case .brokenName: throw HubMessageError(.invalidHeader, "a header's name has invalid characters")
        case .brokenValue(lineAt: var start):
            let name = headers.nextLine(at: &start).map { headers.text($0.name) } ?? ""
            throw HubMessageError(.invalidHeader, "the value of the header \(name) is not plain ASCII")
        }
        for field in headers {
            let name = field.name.lowercased()
            guard !reserved.contains(name), !name.hasPrefix(hubPrefix) || name == apnsExpiry else {
                throw HubMessageError(.invalidHeader, "the header \(field.name) is reserved for the client")
            }
            // Only visible ASCII, because the hub's handling of other bytes is not documented.
            guard field.value.utf8.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x09 }) else {
                throw HubMessageError(.invalidHeader, "the value of the header \(field.name) is not plain ASCII")
            }
        }
    }
}
