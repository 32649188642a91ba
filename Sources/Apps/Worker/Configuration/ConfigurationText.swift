/// Decodes the bytes of a configuration file: UTF-8, with or without a byte order mark.
enum ConfigurationText {
    /// Decodes bytes.
    ///
    /// - Returns: The text without the byte order mark.
    /// - Throws: ``ConfigurationProblem`` that names the encoding or the line, and the command that converts the file.
    static func decode(_ bytes: [UInt8]) throws(ConfigurationProblem) -> String {
        let isWide = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        let zeros = bytes.count { $0 == 0 }
        if isWide || zeros > bytes.count / 4 {
            throw ConfigurationProblem(
                path: "",
                message: "the file is in UTF-16 or UTF-32; save it as UTF-8: iconv -f UTF-16 -t UTF-8"
            )
        }
        let text = bytes.starts(with: byteOrderMark) ? bytes[byteOrderMark.count...] : bytes[...]
        if let zero = text.firstIndex(of: 0) {
            throw ConfigurationProblem(
                path: "",
                line: line(of: zero, in: bytes),
                message: "has a byte of value 0, which is not text; remove it"
            )
        }
        guard let decoded = String(validating: text, as: UTF8.self) else {
            let place = firstInvalid(text)
            throw ConfigurationProblem(
                path: "",
                line: line(of: place, in: bytes),
                message:
                    "is not UTF-8 (byte 0x\(String(bytes[place], radix: 16, uppercase: true))), perhaps Latin-1 or "
                    + "Windows-1252; save the file as UTF-8: iconv -f WINDOWS-1252 -t UTF-8"
            )
        }
        return decoded
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The index of the first byte that is not part of valid UTF-8.
    private static func firstInvalid(_ bytes: ArraySlice<UInt8>) -> Int {
        var place = bytes.startIndex
        while place < bytes.endIndex {
            let length = (1...4).first { length in
                place + length <= bytes.endIndex
                    && String(validating: bytes[place..<place + length], as: UTF8.self) != nil
            }
            guard let length else { return place }
            place += length
        }
        return bytes.startIndex
    }

    /// The line of a byte, from 1. Lines end in LF, CR LF or CR.
    private static func line(of place: Int, in bytes: [UInt8]) -> Int {
        let before = bytes[..<place]
        let ends = before.indices.count { index in
            let isBeforeLF = index + 1 < bytes.endIndex && bytes[index + 1] == UInt8(ascii: "\n")
            return bytes[index] == UInt8(ascii: "\n") || (bytes[index] == UInt8(ascii: "\r") && !isBeforeLF)
        }
        return ends + 1
    }
}

extension ConfigurationProblem: Error {}
