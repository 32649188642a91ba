import StrictJSON

/// The reason why bytes are not a ledger record that this version can read.
package struct LedgerRecordError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// The bytes are not JSON.
        case json = "ledger_json"
        /// Another version of newsflash wrote it, whose records this one cannot read.
        case version = "ledger_version"
        /// A member is missing or has a wrong value.
        case member = "ledger_member"
        /// The hash of the bytes differs from the record's `sum`.
        case sum = "ledger_sum"
        /// The record has the key of another story.
        case key = "ledger_key"
    }

    package let code: Code
    /// The position in the record, as a JSON Pointer (RFC 6901); empty for the whole record. At most 200 bytes.
    package let path: String
    /// A message for people. It quotes only the version number from the record.
    package let message: String

    init(_ code: Code, _ path: String, _ message: String) {
        self.code = code
        self.path = path.prefixOfUTF8(200)
        self.message = message
    }

    /// Finds the path of a fault in the whole record. The path of the fault itself begins at the value at its offset.
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
