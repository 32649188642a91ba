import HTTPTransport

/// A value of a header that becomes text when it is asked for; keeps the lines of all headers until then.
struct HeaderText: Sendable, Equatable {
    private let lines: [UInt8]
    private let range: Range<Int>

    /// Makes a text of a value, without a copy of it.
    ///
    /// - Parameters:
    ///   - headers: Where it stands.
    ///   - range: The value of one of their lines.
    init(_ headers: HTTPHeaders, _ range: Range<Int>) {
        self.lines = headers.wireForm
        self.range = range
    }

    /// The value; bytes that are no UTF-8 are replaced.
    var text: String { String(decoding: lines[range], as: UTF8.self) }

    static func == (left: HeaderText, right: HeaderText) -> Bool {
        left.lines[left.range] == right.lines[right.range]
    }
}
