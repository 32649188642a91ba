/// A valid request about registrations.
enum RegistrationWork {
    /// Creates an id for a later write.
    case createID
    case create(PreparedRegistration)
    case put(RegistrationName, PreparedRegistration, condition: ETagCondition?)
    case get(RegistrationName)
    case delete(RegistrationName, condition: ETagCondition?)
    case list(RegistrationList)
}

/// The condition in `If-Match`.
enum ETagCondition: Equatable {
    /// `*`: the registration must exist, with any ETag.
    case any
    case exactly(Int64)

    /// Parses `*`, `"3"`, `W/"3"` and `3`, because SDKs differ.
    ///
    /// - Throws: 400 for anything else.
    init(_ text: String) throws(HubFailure) {
        var digits = text[...]
        if digits.hasPrefix("W/") { digits = digits.dropFirst(2) }
        if digits.count >= 2, digits.first == "\"", digits.last == "\"" { digits = digits.dropFirst().dropLast() }
        if digits == "*" {
            self = .any
        } else if let number = Int64(digits) {
            self = .exactly(number)
        } else {
            throw HubFailure(400, "The value of the header If-Match is not an ETag.")
        }
    }

    func holds(for etag: Int64) -> Bool {
        switch self {
        case .any: true
        case .exactly(let wanted): wanted == etag
        }
    }
}
