internal import StrictJSON
internal import Timestamps

/// The claims of a token with a valid signature (RFC 7519, section 4).
struct TokenClaims {
    private let value: JSONValue

    init(_ payload: [UInt8]) throws(BearerTokenError) {
        guard let value = try? JSONReader.read(payload, maximumDepth: CompactToken.maximumDepth), value.object != nil
        else { throw Self.malformed }
        self.value = value
    }

    /// Returns a claim that is a text.
    func text(_ name: String) throws(BearerTokenError) -> String? {
        guard let claim = value[member: name] else { return nil }
        guard let text = claim.string else { throw Self.malformed }
        return text
    }

    /// Returns the audiences of the token, of which one must match.
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

    /// Returns a claim that is a time, in seconds since 1970 with an optional fraction.
    ///
    /// - Parameters:
    ///   - name: The claim's name.
    ///   - rounding: How a fraction is rounded to a whole second.
    /// - Returns: `nil` if the claim is missing.
    /// - Throws: ``BearerTokenError`` if the claim is not a time.
    func instant(_ name: String, _ rounding: FloatingPointRoundingRule) throws(BearerTokenError) -> Timestamp? {
        guard let claim = value[member: name] else { return nil }
        guard let number = claim.number else { throw Self.malformed }
        let seconds = number.int64 ?? Int64(exactly: number.double.rounded(rounding))
        // A time after the year 9999 is in milliseconds or invalid, and one before 1970 is an error.
        guard let seconds, (0...Self.lastSecond).contains(seconds) else { throw Self.malformed }
        return Timestamp(seconds: seconds)
    }

    private static let lastSecond: Int64 = 253_402_300_799
    private static let malformed = BearerTokenError(.malformedClaims, "the token's claims are malformed")
}
