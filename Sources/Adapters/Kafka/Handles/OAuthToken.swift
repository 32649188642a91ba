import CNewsflashRDKafka
import FoundationEssentials
import NewsflashTimestamps

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A token for SASL OAUTHBEARER with the attributes that the broker and librdkafka need.
struct OAuthToken {
    /// The token as it is sent.
    var text: String
    /// When a new one is needed at the latest; librdkafka requests it after 80 % of the time.
    var end: Timestamp
    /// The principal of the token.
    var principal: String

    /// The lifetime of a token that does not contain one.
    static let lifetimeWithoutEnd = Duration.seconds(3600)

    /// Reads the claims `exp` and `sub` of a token, if it is a JWT (RFC 7519). Nothing is verified; the broker does that.
    ///
    /// - Parameters:
    ///   - text: The token; surrounding spaces and line breaks, as in files, are removed.
    ///   - now: The current time, for tokens without `exp`.
    init(_ text: String, now: Timestamp) {
        let token = text.split(whereSeparator: \.isWhitespace).joined()
        let claims = Self.claims(of: token)
        self.text = token
        self.end =
            claims?.exp.flatMap(Int64.init(exactly:)).map(Timestamp.init(seconds:)) ?? now + Self.lifetimeWithoutEnd
        self.principal = claims?.sub ?? "unknown"
    }

    private struct Claims: Decodable {
        var exp: Double?
        var sub: String?
    }

    private static func claims(of token: String) -> Claims? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var payload = parts[1].replacing("-", with: "+").replacing("_", with: "/")
        payload += String(repeating: "=", count: (4 - payload.utf8.count % 4) % 4)
        guard let bytes = Data(base64Encoded: String(payload)),
            var claims = try? JSONDecoder().decode(Claims.self, from: bytes)
        else { return nil }
        claims.exp = claims.exp.map { $0.rounded(.down) }
        return claims
    }
}

extension OAuthToken {
    /// Passes the token to librdkafka for the next connections.
    ///
    /// - Parameters:
    ///   - client: A client of librdkafka.
    ///   - extensions: Names and values to send with it.
    /// - Returns: The error of librdkafka, which does not quote the token.
    func give(to client: OpaquePointer, extensions: [String: String]) -> rd_kafka_resp_err_t {
        // Names and values alternate.
        let words = extensions.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        var pointers = words.map { UnsafePointer<CChar>(strdup($0)) }
        defer { for pointer in pointers { free(UnsafeMutablePointer(mutating: pointer)) } }
        var reason = [CChar](repeating: 0, count: 512)
        return rd_kafka_oauthbearer_set_token(
            client,
            text,
            end.milliseconds,
            principal,
            &pointers,
            pointers.count,
            &reason,
            reason.count
        )
    }
}
