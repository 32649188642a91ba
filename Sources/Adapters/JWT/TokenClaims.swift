internal import StrictJSON
internal import Timestamps

/// The claims of a token whose signature is good (RFC 7519, section 4).
struct TokenClaims {
    private let value: JSONValue

    init(_ payload: [UInt8]) throws(BearerTokenError) {
        guard let value = try? JSONReader.read(payload, maximumDepth: CompactToken.maximumDepth), value.object != nil
        else { throw Self.malformed }
        self.value = value
    }

    /// A claim that is a text.
    func text(_ name: String) throws(BearerTokenError) -> String? {
        guard let claim = value[member: name] else { return nil }
        guard let text = claim.string else { throw Self.malformed }
        return text
    }

    /// Whom the token is for; a list, of which one is enough.
    func audience() throws(BearerTokenError) -> [String]? {
        guard let claim = value[member: "aud"] else { return nil }
        if let one = claim.string { return [one] }
        guard let list = claim.array else { throw Self.malformed }
        var names: [String] = []
        for element in list {
            guard let name = element.string else { throw Self.malformed }
            names.append(name)
        }
        return names
    }

    /// A claim that is an instant, in seconds since 1970 and perhaps a fraction.
    ///
    /// - Parameters:
    ///   - name: Of the claim.
    ///   - rounding: Which whole second a fraction counts as.
    /// - Returns: Nothing where there is no such claim.
    /// - Throws: ``BearerTokenError`` where the claim is no instant.
    func instant(_ name: String, _ rounding: FloatingPointRoundingRule) throws(BearerTokenError) -> Timestamp? {
        guard let claim = value[member: name] else { return nil }
        guard let number = claim.number else { throw Self.malformed }
        let seconds = number.int64 ?? Int64(exactly: number.double.rounded(rounding))
        // A time beyond the year 9999 is milliseconds or nonsense, and one before 1970 nobody meant.
        guard let seconds, (0...Self.lastSecond).contains(seconds) else { throw Self.malformed }
        return Timestamp(seconds: seconds)
    }

    private static let lastSecond: Int64 = 253_402_300_799
    private static let malformed = BearerTokenError(.malformedClaims, "the token's claims are not as they have to be")
}
