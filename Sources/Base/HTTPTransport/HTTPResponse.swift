/// An answer, whole in memory.
public struct HTTPResponse: Sendable, Equatable {
    /// The status code, such as 201.
    public var status: Int
    /// As received; of the last response where there were several (100, 407).
    public var headers: HTTPHeaders
    /// The body; empty for none.
    public var body: [UInt8]

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The header fields.
    ///   - body: Empty for none.
    public init(status: Int, headers: HTTPHeaders = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
