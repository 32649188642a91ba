import ASCII
import HTTPServer

/// What has to hold for any request, before anyone asks what it is for.
enum RequestForm {
    /// More fields than any client sends.
    static let maximumFields = 64
    /// Fields that two readers could take differently where they stand twice.
    private static let singular = [
        "host", "authorization", "content-type", "content-length", "content-encoding", "transfer-encoding", "origin",
    ]

    /// Holds the head of a request to the form.
    ///
    /// - Parameter request: As it came.
    /// - Throws: ``GatewayRefusal``: 400 or 431; the connection is to be closed then, as what follows may be no request.
    static func check(_ request: HTTPServerRequest) throws(GatewayRefusal) {
        guard request.headers.count <= maximumFields else {
            throw GatewayRefusal(431, "too_many_fields", "The request has too many header fields.")
        }
        var counts: [String: Int] = [:]
        for (name, value) in request.headers {
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw .malformed("field", "A header field has control characters.")
            }
            counts[name.lowercasedASCII, default: 0] += 1
        }
        guard singular.allSatisfy({ counts[$0, default: 0] <= 1 }) else {
            throw .malformed("field_twice", "A header field stands twice that may stand once.")
        }
        guard counts["host"] == 1 else { throw .malformed("host", "The request names no host.") }
        guard counts["content-length"] == nil || counts["transfer-encoding"] == nil else {
            throw .malformed("framing", "The request says in two ways how long it is.")
        }
        if let coding = request.first(named: "Transfer-Encoding"), !coding.isEqualIgnoringASCIICase(to: "chunked") {
            throw .malformed("framing", "The request has a transfer coding other than chunked.")
        }
    }

    /// Holds a body to what a call takes.
    ///
    /// - Parameters:
    ///   - request: As it came.
    ///   - call: What it asks for.
    /// - Returns: The media type in lower case, without parameters; empty where there is no body.
    /// - Throws: ``GatewayRefusal``: 413, 415, or 400 where the body is missing.
    static func mediaType(of request: HTTPServerRequest, for call: GatewayCall) throws(GatewayRefusal) -> String {
        guard request.body.count <= call.maximumBodyBytes else { throw .tooLarge }
        let types: Set<String>
        switch call.body {
        case .ignored: return ""
        case .optional where request.body.isEmpty: return ""
        case .required(let allowed), .optional(let allowed): types = allowed
        }
        guard request.first(named: "Content-Encoding") == nil else { throw unsupported(types) }
        let parts = (request.first(named: "Content-Type") ?? "").lowercasedASCII.split(
            separator: ";",
            omittingEmptySubsequences: false
        )
        let type = (parts.first ?? "").trimmingBlanks
        guard types.contains(type) else { throw unsupported(types) }
        for parameter in parts.dropFirst() {
            let text = parameter.trimmingBlanks
            guard !text.hasPrefix("charset=") || ["charset=utf-8", "charset=\"utf-8\""].contains(text) else {
                throw unsupported(types)
            }
        }
        guard !request.body.isEmpty else { throw .malformed("empty", "The request has no body.", path: "") }
        return type
    }

    /// The languages of `Accept-Language`, the preferred first (RFC 9110, section 12.5.4).
    ///
    /// - Parameter request: As it came.
    /// - Returns: At most ten tags; what is none is passed over.
    static func languages(of request: HTTPServerRequest) -> [String] {
        var found: [(tag: String, weight: Double)] = []
        for part in (request.first(named: "Accept-Language") ?? "").split(separator: ",").prefix(20) {
            let pieces = part.split(separator: ";")
            let tag = (pieces.first ?? "").trimmingBlanks
            guard (1...35).contains(tag.utf8.count),
                tag.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "-") })
            else { continue }
            let quality = pieces.dropFirst().map(\.trimmingBlanks).first { $0.hasPrefix("q=") }
            let weight = quality.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            guard weight > 0, weight <= 1 else { continue }
            found.append((tag, weight))
        }
        // In the order of the list where the weight is the same.
        let sorted = found.enumerated().sorted {
            ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset)
        }
        return sorted.prefix(10).map(\.element.tag)
    }

    private static func unsupported(_ types: Set<String>) -> GatewayRefusal {
        let list = types.sorted().joined(separator: " or ")
        return GatewayRefusal(415, "media_type", "The body has to be \(list), in UTF-8 and without coding.")
    }
}

extension Substring {
    fileprivate var trimmingBlanks: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
