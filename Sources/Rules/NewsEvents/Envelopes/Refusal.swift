import StrictJSON

/// Why a record is not read on.
struct Refusal: Error {
    let reason: InvalidReason
    /// See ``EventRejection/detail``.
    let detail: String

    init(_ reason: InvalidReason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }

    /// Takes over what keeps bytes from being JSON.
    ///
    /// - Parameters:
    ///   - error: The fault.
    ///   - place: What was read, where it is not the record's value.
    ///   - shift: How many bytes of the value lie before the text.
    ///   - hint: What else to say.
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
