/// The rule that the head of a request breaks.
package enum MalformedHead: String, Error, Sendable, CaseIterable {
    /// A line does not end in CR LF, is folded, or contains a NUL or a second blank.
    case line
    /// The method is not a token.
    case method
    /// The target is neither a path, nor an `http` URL, nor `*` with `OPTIONS`.
    case target
    /// The version is neither HTTP/1.1 nor HTTP/1.0.
    case version
    /// The name of a field is not a token.
    case fieldName = "field_name"
    /// The value of a field contains a control character.
    case fieldValue = "field_value"
    /// The host is missing, is repeated, or cannot be one.
    case host
    /// The length of the body is repeated, is not a number, or is given in two ways.
    case framing

    /// A sentence for the client.
    package var message: String {
        switch self {
        case .line: "A line of the request's head does not end in CR LF, is folded, or contains a NUL."
        case .method: "The method of the request is not a token."
        case .target: "The target of the request must be a path, an http URL, or * with OPTIONS."
        case .version: "The version of the request must be HTTP/1.1 or HTTP/1.0."
        case .fieldName: "The name of a header field is not a token."
        case .fieldValue: "The value of a header field contains a control character."
        case .host: "The request must have exactly one valid Host field."
        case .framing:
            "The length of the body must be given once: a whole number as Content-Length, or Transfer-Encoding: chunked."
        }
    }
}
