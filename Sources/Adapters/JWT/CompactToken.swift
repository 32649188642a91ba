internal import ASCII
internal import StrictJSON

/// A token in the compact form (RFC 7515, section 7.1), taken apart to the letter, with nothing verified.
///
/// libjwt overlooks much here: letters that are none of the alphabet, what stands behind the third part, members that stand
/// twice. What it verifies must be what we read.
struct CompactToken {
    /// What the header says.
    let header: JSONValue
    /// The bytes of the second part.
    let payload: [UInt8]
    /// The bytes of the third part.
    let signature: [UInt8]

    /// No token that is meant for us nests deeper.
    static let maximumDepth = 8

    init(_ token: String) throws(BearerTokenError) {
        let parts = token.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw Self.malformed }
        guard let header = Base64URL.decode(parts[0].utf8), let payload = Base64URL.decode(parts[1].utf8),
            let signature = Base64URL.decode(parts[2].utf8), !payload.isEmpty,
            let value = try? JSONReader.read(header, maximumDepth: Self.maximumDepth), value.object != nil
        else { throw Self.malformed }
        self.header = value
        self.payload = payload
        self.signature = signature
    }

    /// Makes sure that the header asks for the algorithm that is taken, and for nothing else.
    func check(_ algorithm: BearerTokenVerifier.Algorithm) throws(BearerTokenError) {
        guard let named = header[member: "alg"]?.string else { throw Self.malformed }
        guard named == algorithm.rawValue else {
            throw BearerTokenError(.wrongAlgorithm, "the token is not signed with \(algorithm.rawValue)")
        }
        if let type = header[member: "typ"] {
            // All that libjwt of Debian 12 takes.
            guard let type = type.string, type.isEqualIgnoringASCIICase(to: "JWT") else {
                throw BearerTokenError(.unsupportedHeader, "the token's typ is not JWT")
            }
        }
        // What stands in `crit` must be understood (RFC 7515, section 4.1.11), and `b64` changes what is signed (RFC 7797).
        guard header[member: "crit"] == nil, header[member: "b64"] == nil else {
            throw BearerTokenError(.unsupportedHeader, "the token's header asks for extensions")
        }
        guard algorithm.lengthOfSignature.map({ $0 == signature.count }) ?? !signature.isEmpty else {
            throw BearerTokenError(.wrongSignature, "the token's signature is not the issuer's")
        }
    }

    private static let malformed = BearerTokenError(.malformed, "this is no signed JSON Web Token")
}

extension BearerTokenVerifier.Algorithm {
    /// How many bytes each signature has, where all have as many.
    fileprivate var lengthOfSignature: Int? {
        switch self {
        case .hs256: 32
        case .es256: 64
        case .rs256: nil
        }
    }
}
