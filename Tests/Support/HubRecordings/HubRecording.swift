/// One recorded answer of the real service, with the request if it was recorded too.
package struct HubRecording: Sendable {
    /// The recorded part of the request.
    package struct Request: Sendable {
        /// The method's name.
        package var method: String
        /// Name and value of each header of the request, in any order.
        package var headers: [(name: String, value: String)]
        /// The body; empty if absent.
        package var body: String
    }

    /// The requested path and query.
    package var target: String
    /// The rest of the request; the .NET SDK's sessions have only answers.
    package var request: Request?
    /// The status code.
    package var status: Int
    /// Name and value of each header of the answer, in any order.
    package var headers: [(name: String, value: String)]
    /// The body; empty if absent.
    package var body: String

    /// Makes a recording of an answer.
    ///
    /// - Parameters:
    ///   - target: Path and query.
    ///   - request: The rest of the request; `nil` if it was not recorded.
    ///   - status: The status code.
    ///   - headers: The headers of the answer.
    ///   - body: The body; empty if absent.
    package init(
        target: String,
        request: Request? = nil,
        status: Int,
        headers: [(name: String, value: String)] = [],
        body: String = ""
    ) {
        self.target = target
        self.request = request
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The value of a header, by its name without regard to case.
    package subscript(name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The answers of one session of the .NET SDK's tests.
    ///
    /// - Parameter test: The beginning of the file's name, up to its second underscore or further.
    /// - Returns: The answers in the order of the calls.
    /// - Throws: ``HubSessionError`` if the file is missing or has another form.
    package static func dotnet(_ test: String) throws -> [HubRecording] {
        let name = HubSession.names.first { $0.hasPrefix("dotnet/" + test) }
        return try HubSession(named: name ?? "dotnet/\(test).http").calls
    }

    /// The answer to a send of the JavaScript SDK, recorded in December 2022.
    ///
    /// - Returns: The only answer of the session.
    /// - Throws: ``HubSessionError`` if the file has another form.
    package static func javaScriptSend() throws -> HubRecording {
        let name = "js/send-tag-expression-apple.json"
        guard let call = try HubSession(named: name).calls.first else { throw HubSessionError(name: name) }
        return call
    }
}
