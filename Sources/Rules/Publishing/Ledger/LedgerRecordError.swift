import StrictJSON

/// Why bytes are no record of the ledger that this version can read.
package struct LedgerRecordError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// The bytes are no JSON text.
        case json = "ledger_json"
        /// Another version of newsflash wrote it, whose records this one does not know.
        case version = "ledger_version"
        /// A member is missing, or is not what belongs there.
        case member = "ledger_member"
        /// The sum over the bytes is not the one that was written.
        case sum = "ledger_sum"
        /// The record lies under the key of another story.
        case key = "ledger_key"
    }

    package let code: Code
    /// The place in the record, as a JSON Pointer (RFC 6901); empty for all of it. At most 200 bytes.
    package let path: String
    /// For a person; quotes nothing of the record but the number of its version.
    package let message: String

    init(_ code: Code, _ path: String, _ message: String) {
        self.code = code
        self.path = path.prefixOfUTF8(200)
        self.message = message
    }

    /// Looks for the path of a fault in the whole record. A path of its own begins at the value where its offset is.
    init(_ error: JSONError, in bytes: Span<UInt8>) {
        let code: Code =
            switch error.code {
            case .ledgerVersion: .version
            case .ledgerSum: .sum
            case .ledgerKey: .key
            case .wrongType, .ledgerMember, .duplicateMember: .member
            default: .json
            }
        let message = code == .json ? "\(error.message) at byte \(error.offset)" : error.message
        self.init(code, JSONCursor.path(to: error.offset, in: bytes) + error.path, message)
    }

    /// The path with the message and the label.
    package var description: String { "\(path.isEmpty ? "record" : path): \(message) [\(code.rawValue)]" }
}

extension JSONError.Code {
    static let ledgerVersion = JSONError.Code(rawValue: LedgerRecordError.Code.version.rawValue)
    static let ledgerMember = JSONError.Code(rawValue: LedgerRecordError.Code.member.rawValue)
    static let ledgerSum = JSONError.Code(rawValue: LedgerRecordError.Code.sum.rawValue)
    static let ledgerKey = JSONError.Code(rawValue: LedgerRecordError.Code.key.rawValue)
}
