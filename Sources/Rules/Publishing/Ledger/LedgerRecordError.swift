import NewsflashStrictJSON

/// The reason why bytes are not a ledger record that this version can read.
package struct LedgerRecordError: Error, RecordMemberError, Sendable, Equatable, CustomStringConvertible {
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

    /// The fault of a member.
    init(_ path: String, _ message: String) {
        self.init(.member, path, message)
    }

    /// The fault of bytes that ``JSONReader`` refuses.
    init(_ error: JSONError) {
        if error.code == .duplicateMember {
            self.init(error.path, error.message)
        } else {
            self.init(.json, error.path, "\(error.message) at byte \(error.offset)")
        }
    }

    /// The path with the message and the label.
    package var description: String { "\(path.isEmpty ? "record" : path): \(message) [\(code.rawValue)]" }
}
