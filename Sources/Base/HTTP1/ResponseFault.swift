/// Why bytes are no answer that can be trusted (RFC 9112).
package enum ResponseFault: Error, Sendable, Equatable {
    /// The first line does not read `HTTP/1.1 201 Created`.
    case statusLine
    /// A version other than 1.0 and 1.1.
    case version
    /// 101: the server speaks something else from here on.
    case switchedProtocols
    /// A line ends without CR LF.
    case lineEnd
    /// The name of a field is no token, or white space stands around it; a line that is folded looks so too.
    case fieldName
    /// The value of a field holds a control.
    case fieldValue
    /// The header section, or the trailer section, is longer than ``ResponseParser/maximumSectionBytes``.
    case sectionTooLarge
    /// `Content-Length` is no number, or several differ.
    case contentLength
    /// `Transfer-Encoding` is anything but `chunked`, or comes with HTTP/1.0.
    case transferEncoding
    /// Both `Transfer-Encoding` and `Content-Length`: each would end the answer elsewhere.
    case twoLengths
    /// The size of a chunk is no hexadecimal number, or its line holds something else.
    case chunkSize
    /// A chunk does not end where its size says.
    case chunkEnd
    /// The whole answer is larger than allowed.
    case tooLarge
    /// The connection ended in the midst.
    case cutOff
}

extension ResponseFault: CustomStringConvertible {
    /// What is wrong, to stand behind "cannot be read as HTTP: ".
    package var description: String {
        switch self {
        case .statusLine: "it begins with no status line"
        case .version: "it is of another version than 1.0 and 1.1"
        case .switchedProtocols: "it switches to another protocol"
        case .lineEnd: "a line does not end with CR LF"
        case .fieldName: "the name of a header is no token, or a line is folded"
        case .fieldValue: "a header holds a control"
        case .sectionTooLarge: "its headers are larger than \(ResponseParser.maximumSectionBytes) bytes"
        case .contentLength: "its Content-Length is no number, or there are two"
        case .transferEncoding: "its Transfer-Encoding is not chunked"
        case .twoLengths: "it has both Transfer-Encoding and Content-Length"
        case .chunkSize: "the size of a chunk is no number"
        case .chunkEnd: "a chunk does not end where its size says"
        case .tooLarge: "it is larger than allowed"
        case .cutOff: "it ended in the midst"
        }
    }
}
