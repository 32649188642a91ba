/// A request: an absolute URL, headers as they are sent, and a body in memory.
public struct HTTPRequest: Sendable, Equatable {
    /// The method, such as `POST`.
    public var method: HTTPMethod
    /// The absolute, percent-encoded URL; sent unchanged.
    public var url: String
    /// The headers, in the order in which they are sent.
    public var headers: HTTPHeaders
    /// The body; may be empty.
    public var body: [UInt8]

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - url: The absolute, percent-encoded URL.
    ///   - headers: The headers, in the order in which they are sent.
    ///   - body: The body; may be empty.
    public init(method: HTTPMethod, url: String, headers: HTTPHeaders = [], body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// A request method (RFC 9110, section 9).
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    /// The token on the wire.
    public var rawValue: String

    /// Creates a method.
    ///
    /// - Parameter rawValue: The token on the wire.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Reads a resource.
    public static let get = HTTPMethod(rawValue: "GET")
    /// Sends data to a resource.
    public static let post = HTTPMethod(rawValue: "POST")
    /// Creates or replaces a resource.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Changes a part of a resource.
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// Deletes a resource.
    public static let delete = HTTPMethod(rawValue: "DELETE")
}
