internal import NewsflashBasics
internal import NewsflashSigning
internal import NewsflashStrictJSON

/// A token in the compact form (RFC 7515, section 7.1), parsed but not verified.
///
/// Strict, because the verified bytes must be the parsed ones: no characters outside the alphabet, nothing after the third
/// part, no repeated member.
struct CompactToken {
    /// The decoded header.
    let header: JSONValue
    /// The signed bytes: the first two parts with their dot.
    let signed: [UInt8]
    /// The bytes of the second part.
    let payload: [UInt8]
    /// The bytes of the third part.
    let signature: [UInt8]

    /// The maximum nesting of a token.
    static let maximumDepth = 8

    init(_ token: String) throws(BearerTokenError) {
        let parts = token.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw Self.malformed }
        guard let header = Base64URL.decode(parts[0].utf8), let payload = Base64URL.decode(parts[1].utf8),
            let signature = Base64URL.decode(parts[2].utf8), !payload.isEmpty,
            let value = try? JSONReader.read(header, maximumDepth: Self.maximumDepth), value.object != nil
        else { throw Self.malformed }
        self.header = value
        signed = Array(token.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
        self.payload = payload
        self.signature = signature
    }

    /// Throws unless the header specifies the configured algorithm and no extensions.
    func check(_ algorithm: BearerTokenVerifier.Algorithm) throws(BearerTokenError) {
        guard let named = header[member: "alg"]?.string else { throw Self.malformed }
        guard named == algorithm.rawValue else {
            throw BearerTokenError(.wrongAlgorithm, "the token is not signed with \(algorithm.rawValue)")
        }
        if let type = header[member: "typ"] {
            // RFC 7519, section 5.1, and RFC 9068, section 2.1; either with or without `application/`.
            guard let type = type.string, Self.types.contains(type.lowercasedASCII) else {
                throw BearerTokenError(.unsupportedHeader, "the token's typ is neither JWT nor at+jwt")
            }
        }
        // Extensions in `crit` must be understood (RFC 7515, section 4.1.11), and `b64` changes the signed bytes (RFC 7797).
        guard header[member: "crit"] == nil, header[member: "b64"] == nil else {
            throw BearerTokenError(.unsupportedHeader, "the token's header requires extensions")
        }
        guard algorithm.lengthOfSignature.map({ $0 == signature.count }) ?? !signature.isEmpty else {
            throw BearerTokenError(.wrongSignature, "the token's signature is not the issuer's")
        }
    }

    /// Returns the identifier of the key that the token is signed with.
    func keyID() throws(BearerTokenError) -> String? {
        guard let id = header[member: "kid"] else { return nil }
        guard let id = id.string else { throw Self.malformed }
        return id
    }

    private static let types: Set = ["jwt", "at+jwt", "application/at+jwt"]
    private static let malformed = BearerTokenError(.malformed, "this is not a signed JSON Web Token")
}

extension BearerTokenVerifier.Algorithm {
    /// The number of bytes of a signature, if it is the same for all keys.
    fileprivate var lengthOfSignature: Int? {
        switch self {
        case .hs256: 32
        case .es256, .eddsa: 64
        case .rs256: nil
        }
    }
}

/// The base 64 encoding with the alphabet for URLs and without padding (RFC 7515, section 2).
enum Base64URL {
    /// Decodes text.
    ///
    /// - Parameter text: The text. Strict: no padding, no white space, no bits set after the last byte.
    /// - Returns: `nil` for text that no encoder would produce.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var standard: [UInt8] = []
        standard.reserveCapacity(text.count + 2)
        for byte in text {
            switch byte {
            case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
            case let byte where byte.isLetterOrDigit: standard.append(byte)
            default: return nil
            }
        }
        guard standard.count % 4 != 1 else { return nil }
        while !standard.count.isMultiple(of: 4) { standard.append(UInt8(ascii: "=")) }
        return Base64.decode(String(decoding: standard, as: UTF8.self))
    }
}
