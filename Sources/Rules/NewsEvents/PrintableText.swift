extension String {
    /// Converts the text for a header, a log or a message: printable ASCII without blanks, of limited length.
    ///
    /// - Parameter limit: The maximum length in bytes.
    /// - Returns: The text, cut to the limit, with each other character replaced by `?`.
    func printable(limit: Int) -> String {
        var result: [UInt8] = []
        for scalar in unicodeScalars.prefix(limit) {
            let isPrintable = (0x21...0x7E).contains(scalar.value)
            result.append(isPrintable ? UInt8(truncatingIfNeeded: scalar.value) : UInt8(ascii: "?"))
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The text in quotation marks for a message: converted like ``printable(limit:)``, but with its blanks.
    func quoted(limit: Int) -> String {
        "'"
            + split(separator: " ", omittingEmptySubsequences: false).map {
                $0.isEmpty ? "" : String($0).printable(limit: limit)
            }
            .joined(separator: " ").prefix(limit) + "'"
    }
}
