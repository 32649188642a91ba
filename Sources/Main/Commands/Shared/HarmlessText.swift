import StructuredLog

extension String {
    /// The text as it may go to a terminal: what could steer it, or turn the direction of a line, is escaped.
    var harmless: String {
        var bytes: [UInt8] = []
        bytes.append(escaping: self, isQuoted: false)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension StandardOutput {
    /// Writes lines that hold what others wrote, each with nothing in it that could steer a terminal.
    ///
    /// - Parameter lines: Without their ends.
    static func write(lines: [String]) {
        for line in lines { write(line.harmless) }
    }
}
