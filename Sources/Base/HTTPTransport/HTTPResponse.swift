/// A response with its body in memory.
public struct HTTPResponse: Sendable, Equatable {
    /// The status code, such as 201.
    public var status: Int
    /// The headers of the last response, if there were several (100, 407).
    public var headers: HTTPHeaders
    /// The body; may be empty.
    public var body: [UInt8]

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The header fields.
    ///   - body: The body; may be empty.
    public init(status: Int, headers: HTTPHeaders = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
