import HTTPTransport

/// A header value that is decoded on demand; retains the lines of all headers.
struct HeaderText: Sendable, Equatable {
    private let lines: [UInt8]
    private let range: Range<Int>

    /// Refers to a value without copying it.
    ///
    /// - Parameters:
    ///   - headers: The headers that contain the value.
    ///   - range: The position of the value in their lines.
    init(_ headers: HTTPHeaders, _ range: Range<Int>) {
        self.lines = headers.wireForm
        self.range = range
    }

    /// The value; invalid UTF-8 is replaced.
    var text: String { String(decoding: lines[range], as: UTF8.self) }

    static func == (left: HeaderText, right: HeaderText) -> Bool {
        left.lines[left.range] == right.lines[right.range]
    }
}
