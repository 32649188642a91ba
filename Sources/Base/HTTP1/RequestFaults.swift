extension RequestAddress.Fault: CustomStringConvertible {
    /// What is wrong, for a person; holds nothing of the URL.
    package var description: String {
        switch self {
        case .strayCharacter: "the URL holds a blank, a control or a character that is not percent-encoded"
        case .noScheme: "the URL is not absolute with http or https"
        case .noHost: "the URL names no host"
        case .credentials: "the URL holds a user name or password"
        case .brokenHost: "the host of the URL is neither a name nor an address"
        case .brokenPort: "the port of the URL is no number from 1 to 65535"
        }
    }
}

extension RequestFraming.Fault: CustomStringConvertible {
    /// What is wrong, for a person; holds no value of a header.
    package var description: String {
        switch self {
        case .methodIsNoToken: "the method is no token"
        case .methodIsConnect: "the method CONNECT is the transport's own"
        case .headerNameIsNoToken: "the name of a header is no token"
        case .headerHoldsControl(let name): "the header \(name) holds a line break or another control"
        case .transferEncoding: "the header Transfer-Encoding is not the caller's to set"
        case .contentLengthDoesNotFit: "the header Content-Length does not fit the body"
        }
    }
}
