import ASCII

extension GatewayUser {
    /// Creates the user for a name from an issuer of tokens.
    ///
    /// - Parameter name: The issuer's name. Bytes that are not allowed in a user's name, and `#`, become `#` and two
    ///   hexadecimal
    ///   digits, so that different names stay different: `auth0|7` becomes `auth0#7c7`.
    package init?(issuersName name: String) {
        let digits = Array("0123456789abcdef".utf8)
        var bytes: [UInt8] = []
        for byte in name.utf8 {
            if byte.isLetterOrDigit || "_@.-".utf8.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "#"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        self.init(String(decoding: bytes, as: UTF8.self))
    }
}
