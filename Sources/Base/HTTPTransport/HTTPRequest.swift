/// A request to send: absolute URL, headers as they shall stand on the wire, body whole in memory.
public struct HTTPRequest: Sendable, Equatable {
    /// The method's name, such as `POST`.
    public var method: HTTPMethod
    /// Absolute and already percent-encoded; sent as it is.
    public var url: String
    /// In the order in which they are sent.
    public var headers: HTTPHeaders
    /// The body; empty for none.
    public var body: [UInt8]

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - method: The method's name.
    ///   - url: Absolute and percent-encoded.
    ///   - headers: In the order in which they are sent.
    ///   - body: Empty for none.
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

    /// Makes a method of any name.
    ///
    /// - Parameter rawValue: The token on the wire.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Reads a resource.
    public static let get = HTTPMethod(rawValue: "GET")
    /// Hands a message to a resource.
    public static let post = HTTPMethod(rawValue: "POST")
    /// Makes or replaces a resource.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Changes a part of a resource.
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// Removes a resource.
    public static let delete = HTTPMethod(rawValue: "DELETE")
}
