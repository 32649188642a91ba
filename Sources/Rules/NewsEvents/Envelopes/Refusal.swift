import StrictJSON

/// The fault that ends the decoding of a record.
struct Refusal: Error {
    let reason: InvalidReason
    /// See ``EventRejection/detail``.
    let detail: String

    init(_ reason: InvalidReason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }

    /// Converts the error of bytes that are not JSON.
    ///
    /// - Parameters:
    ///   - error: The fault.
    ///   - place: The name of the parsed text, if it is not the record's value.
    ///   - shift: The number of bytes of the value before the text.
    ///   - hint: An addition to the message.
    init(_ error: JSONError, within place: String = "", shiftedBy shift: Int = 0, hint: String = "") {
        reason =
            switch error.code {
            case .empty: .empty
            case .invalidUTF8: .utf8
            case .duplicateMember: .duplicateMember
            case .tooDeep: .depth
            default: .json
            }
        let path = error.path.isEmpty ? "" : "\(error.path.printable(limit: 256)): "
        let text = place.isEmpty ? "" : " of \(place)"
        detail = "\(path)\(error.message) at byte \(error.offset + shift)\(text)\(hint)"
    }
}
