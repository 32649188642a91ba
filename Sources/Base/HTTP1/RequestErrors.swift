extension RequestAddress.InvalidURLError: CustomStringConvertible {
    /// The fault for people; contains nothing of the URL.
    package var description: String {
        switch self {
        case .strayCharacter: "the URL contains a blank, a control or another character that must be percent-encoded"
        case .noScheme: "the URL is not absolute with http or https"
        case .noHost: "the URL has no host"
        case .credentials: "the URL contains a user name or password"
        case .brokenHost: "the host of the URL is neither a name nor an address"
        case .brokenPort: "the port of the URL is not a number from 1 to 65535"
        }
    }
}

extension RequestFraming.InvalidRequestError: CustomStringConvertible {
    /// The fault for people; contains no value of a header.
    package var description: String {
        switch self {
        case .methodIsNoToken: "the method is not a token"
        case .methodIsConnect: "the method CONNECT is reserved for the transport"
        case .headerNameIsNoToken: "the name of a header is not a token"
        case .headerHoldsControl(let name): "the header \(name) contains a line break or another control character"
        case .transferEncoding: "the header Transfer-Encoding is reserved for the transport"
        case .contentLengthDoesNotFit: "the header Content-Length differs from the size of the body"
        }
    }
}
