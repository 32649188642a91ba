import NewsflashBasics
import NewsflashHTTPServer

/// The rules for all requests, in addition to the HTTP server's own rules for heads.
enum RequestForm {
    /// More fields than any client sends.
    static let maximumFields = 64
    /// Fields that must not be repeated, because two readers could use different ones.
    private static let singular = ["authorization", "content-type", "content-encoding", "origin"]

    /// Checks the fields of a head.
    ///
    /// - Throws: ``GatewayRefusal``: 400 or 431.
    static func check(_ head: HTTPServerRequest) throws(GatewayRefusal) {
        guard head.headers.count <= maximumFields else {
            throw GatewayRefusal(431, "too_many_fields", "The request has too many header fields.")
        }
        let names = head.headers.map(\.name.lowercasedASCII)
        guard singular.allSatisfy({ name in names.count { $0 == name } <= 1 }) else {
            throw .malformed("field_twice", "A header field is repeated that is allowed only once.")
        }
    }

    /// Checks the body against the rule of a call.
    ///
    /// - Parameters:
    ///   - request: The request as received.
    ///   - call: The decoded request.
    /// - Returns: The media type in lower case, without parameters; empty if no body is needed.
    /// - Throws: ``GatewayRefusal``: 415, or 400 if the body is missing.
    static func mediaType(of request: HTTPServerRequest, for call: GatewayCall) throws(GatewayRefusal) -> String {
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

    /// Returns the languages of `Accept-Language`, the preferred first (RFC 9110, section 12.5.4).
    ///
    /// - Parameter request: The request as received.
    /// - Returns: At most ten tags; invalid ones are ignored.
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
        // Equal weights keep the order of the list.
        let sorted = found.enumerated().sorted {
            ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset)
        }
        return sorted.prefix(10).map(\.element.tag)
    }

    private static func unsupported(_ types: Set<String>) -> GatewayRefusal {
        let list = types.sorted().joined(separator: " or ")
        return GatewayRefusal(415, "media_type", "The body must be \(list), in UTF-8 and without content encoding.")
    }
}

extension Substring {
    fileprivate var trimmingBlanks: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
