import StructuredLog

extension String {
    /// The text for a terminal. Control characters, and those that change the writing direction, are escaped.
    var harmless: String {
        var bytes: [UInt8] = []
        bytes.append(escaping: self, isQuoted: false)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension StandardOutput {
    /// Writes lines with text from others. Characters that could control a terminal are escaped.
    ///
    /// - Parameter lines: The lines without line ends.
    static func write(lines: [String]) {
        for line in lines { write(line.harmless) }
    }
}
