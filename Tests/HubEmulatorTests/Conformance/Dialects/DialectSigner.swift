import NewsflashTimestamps
import NotificationHubs

/// The signature of an SDK: its resource, escapes and order of fields (reference 2.2).
struct DialectSigner: Sendable {
    /// The signed part of the request's URL.
    enum Resource: Sendable {
        /// .NET: the URL with the scheme `http`, without port and query, with a slash at the end.
        case path
        /// Java and PHP: the whole URL, with the query.
        case url
        /// The SDK for iOS: the whole URL, with the scheme `http`.
        case plainURL
        /// Python: the URL up to the hub.
        case hub
        /// JavaScript: the URL up to the host.
        case namespace
    }

    var resource: Resource
    /// Whether escapes in `sr` have capital digits.
    var hasCapitalsInResource = false
    /// Whether escapes in `sig` and `skn` have capital digits.
    var hasCapitalsInSignature = true
    /// Python's `quote` leaves slashes as they are.
    var leavesSlashes = false
    /// The encoding of a blank in the policy's name.
    var blank = "%20"
    /// The fields in their order.
    var order = ["sr", "sig", "se", "skn"]

    /// The value of `Authorization` for a request. The host has its port, the query its question mark.
    func header(host: String, hub: String, path: String, query: String, policy: String, key: SharedAccessKey) -> String
    {
        let url =
            switch resource {
            case .path: "http://\(host.split(separator: ":")[0])\(path)" + (path.hasSuffix("/") ? "" : "/")
            case .url: "https://\(host)\(path)\(query)"
            case .plainURL: "http://\(host)\(path)\(query)"
            case .hub: "https://\(host)/\(hub)"
            case .namespace: "https://\(host)/"
            }
        let encoded = escapes(PercentEncoding.encode(url.lowercased()), areCapitals: hasCapitalsInResource)
        let signature = signature(resource: encoded, key: key)
        let fields = [
            "sr": encoded, "sig": signature.encoded, "se": String(signature.expiry),
            "skn": policy.replacing(" ", with: blank),
        ]
        return "SharedAccessSignature " + order.map { "\($0)=\(fields[$0] ?? "")" }.joined(separator: "&")
    }

    /// A signature that contains the characters whose escapes differ.
    private func signature(resource: String, key: SharedAccessKey) -> (encoded: String, expiry: Int64) {
        var expiry = Desk.now.seconds + 600
        while true {
            let token = SharedAccessSignature(resource: resource, expiry: expiry, keyName: "", key: key).headerValue
            let encoded = token.split(separator: "&").first { $0.hasPrefix("sig=") }?.dropFirst(4) ?? ""
            if encoded.contains("%2f"), encoded.contains("%2b") {
                let slashed = leavesSlashes ? encoded.replacing("%2f", with: "/") : encoded[...]
                return (escapes(String(slashed), areCapitals: hasCapitalsInSignature), expiry)
            }
            expiry += 1
        }
    }

    private func escapes(_ text: String, areCapitals: Bool) -> String {
        areCapitals ? text.replacing(/%[0-9a-f]{2}/) { $0.output.uppercased() } : text
    }
}
