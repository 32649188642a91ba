/// The reason why a response is rejected (RFC 9112).
package enum InvalidResponseError: Error, Sendable, Equatable {
    /// The first line is not a status line such as `HTTP/1.1 201 Created`.
    case statusLine
    /// The version is not 1.0 or 1.1.
    case version
    /// The status is 101: the server switches to another protocol.
    case switchedProtocols
    /// A line ends without CR LF.
    case lineEnd
    /// A field name is not a token, or is surrounded by white space; a folded line is reported in the same way.
    case fieldName
    /// A field value contains a control character.
    case fieldValue
    /// The header or trailer section exceeds ``ResponseParser/maximumSectionBytes``.
    case sectionTooLarge
    /// `Content-Length` is not a number, or several values differ.
    case contentLength
    /// `Transfer-Encoding` is not `chunked`, or the version is HTTP/1.0.
    case transferEncoding
    /// Both `Transfer-Encoding` and `Content-Length` are present, which define different ends of the response.
    case twoLengths
    /// The size of a chunk is not a hexadecimal number, or its line contains something else.
    case chunkSize
    /// A chunk does not end at its declared size.
    case chunkEnd
    /// The response exceeds the maximum size.
    case tooLarge
    /// The connection ended before the response was complete.
    case cutOff
}

extension InvalidResponseError: CustomStringConvertible {
    /// The fault, to follow "cannot be read as HTTP: ".
    package var description: String {
        switch self {
        case .statusLine: "it does not begin with a status line"
        case .version: "its version is not 1.0 or 1.1"
        case .switchedProtocols: "it switches to another protocol"
        case .lineEnd: "a line does not end with CR LF"
        case .fieldName: "the name of a header is not a token, or a line is folded"
        case .fieldValue: "a header contains a control character"
        case .sectionTooLarge: "its headers are larger than \(ResponseParser.maximumSectionBytes) bytes"
        case .contentLength: "its Content-Length is not a number, or several differ"
        case .transferEncoding: "its Transfer-Encoding is not chunked"
        case .twoLengths: "it has both Transfer-Encoding and Content-Length"
        case .chunkSize: "the size of a chunk is not a number"
        case .chunkEnd: "a chunk does not end at its declared size"
        case .tooLarge: "it is larger than allowed"
        case .cutOff: "it ended before it was complete"
        }
    }
}
