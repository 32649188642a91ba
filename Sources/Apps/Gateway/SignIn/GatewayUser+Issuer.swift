import ASCII

extension GatewayUser {
    /// Makes the user whom an issuer of tokens names.
    ///
    /// - Parameter name: Any text. Bytes that no name here has, and `#`, become `#` and two hexadecimal digits, so that two names
    ///   of the issuer never are one: `auth0|7` is `auth0#7c7`.
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
