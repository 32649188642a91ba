public import NewsflashHTTPTransport
public import NewsflashTimestamps
public import NotificationHubsCore

/// Creates the requests to one hub and decodes its responses; opens no connection.
///
/// Copies share one token. Creating a request is cheap, because URL and token are cached.
public struct HubClient: Sendable {
    /// The hub's URL, such as `https://newsdesk.servicebus.windows.net/breaking`.
    public var hubURL: String { parts.hubURL }
    var configuration: HubClientConfiguration { parts.configuration }
    var clock: @Sendable () -> Timestamp { parts.clock }
    var tokens: TokenSource { parts.tokens }
    private let parts: Parts

    /// A single object, because a client is copied for every request.
    private final class Parts: Sendable {
        let hubURL: String
        let configuration: HubClientConfiguration
        let clock: @Sendable () -> Timestamp
        let tokens: TokenSource
        let sendURL: String
        let directURL: String
        let batchURL: String
        /// The header fields for content type and format of a template message.
        let templateFields: HTTPHeaders
        let agentField: HTTPHeaders

        init(
            hubURL: String,
            tokens: TokenSource,
            _ configuration: HubClientConfiguration,
            _ clock: @escaping @Sendable () -> Timestamp
        ) {
            self.hubURL = hubURL
            self.configuration = configuration
            self.clock = clock
            self.tokens = tokens
            self.sendURL = "\(hubURL)/messages?api-version=\(configuration.apiVersion)"
            self.directURL = sendURL + "&direct"
            self.batchURL = "\(hubURL)/messages/$batch?api-version=\(configuration.apiVersion)&direct"
            self.templateFields = HubClient.fields(.template, contentType: PushFormat.template.contentType())
            self.agentField = [.init("User-Agent", configuration.userAgent)]
        }
    }

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - connection: The namespace and the key that signs tokens.
    ///   - hub: The hub's name: 1 to 260 letters, digits, `.`, `-` and `_`.
    ///   - configuration: The client's settings.
    ///   - clock: Returns the current time; used for the lifetime of tokens.
    /// - Throws: ``HubError`` if the name is invalid.
    public init(
        connection: HubConnectionString,
        hub: String,
        configuration: HubClientConfiguration = HubClientConfiguration(),
        clock: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) throws(HubError) {
        guard Self.isValid(hubName: hub) else {
            throw HubError(.invalidHubName, "a hub's name must have 1 to 260 letters, digits and . - _")
        }
        let hubURL = connection.endpoint.url + "/" + hub
        let tokens = TokenSource(
            hubURL: hubURL,
            keyName: connection.keyName,
            key: connection.key,
            life: configuration.tokenLife
        )
        self.parts = Parts(hubURL: hubURL, tokens: tokens, configuration, clock)
    }

    /// Creates the request that sends a message. Each request has a new tracking ID, so create one for each attempt.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - audience: The devices to address.
    /// - Returns: The request.
    /// - Throws: ``HubError`` with ``HubError/Code/invalidMessage`` if the message cannot go to the audience: a template
    ///   message
    ///   for device handles, no handle, or more than 1,000 handles. Never thrown for ``HubAudience/broadcast`` and
    ///   ``HubAudience/tags(_:)``.
    public func request(for message: HubMessage, to audience: HubAudience) throws(HubError) -> HTTPRequest {
        do throws(HubMessageError) {
            switch audience {
            case .broadcast: return request(parts.sendURL, message) { _ in }
            case .tags(let expression):
                return request(parts.sendURL, message) {
                    $0.append("ServiceBusNotification-Tags", expression.description)
                }
            case .device(let handle): return try directRequest(message, to: handle)
            case .devices(let handles): return try batchRequest(message, to: handles)
            }
        } catch {
            throw HubError(error)
        }
    }

    /// Sends a message and waits until the hub accepts it.
    ///
    /// Does not retry; the caller decides, based on the message's lifetime. See ``HubError/isRetriable`` and
    /// ``HubReply/mayHaveBeenAccepted``.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - audience: The devices to address.
    ///   - transport: The transport that sends the request.
    /// - Returns: The hub's IDs of the message.
    /// - Throws: ``HubError`` if the hub did not confirm the message.
    public func send(
        _ message: HubMessage,
        to audience: HubAudience,
        over transport: any HTTPTransport
    ) async throws(HubError) -> HubAcceptance {
        let request = try request(for: message, to: audience)
        let result: Result<HTTPResponse, HTTPTransportError>
        do throws(HTTPTransportError) {
            result = .success(try await transport.send(request))
        } catch {
            result = .failure(error)
        }
        let reply = Self.reply(to: result, now: clock())
        guard reply.verdict == .accepted else { throw HubError(reply) }
        return HubAcceptance(reply)
    }

    /// Interprets a response or a transport error.
    ///
    /// - Parameters:
    ///   - result: The result from the transport.
    ///   - now: The current time; a `Retry-After` with a date is relative to it.
    /// - Returns: The decoded reply.
    public static func reply(to result: Result<HTTPResponse, HTTPTransportError>, now: Timestamp) -> HubReply {
        switch result {
        case .success(let response): HubReply(response, now: now)
        case .failure(let error): HubReply(error)
        }
    }

    /// Discards the token, so that the next request has a new one. Call it once after a 401.
    public func renewToken() {
        tokens.renew()
    }

    private func directRequest(_ message: HubMessage, to handle: DeviceHandle) throws(HubMessageError) -> HTTPRequest {
        try checkIsNative(message)
        var fields = [HTTPHeaders.Field("ServiceBusNotification-DeviceHandle", handle.text)]
        if let keys = handle.browserKeys {
            fields += [.init("P256DH", keys.p256dh), .init("Auth", keys.auth)]
        }
        guard message.format != .browser || handle.browserKeys != nil else {
            throw HubMessageError(.invalidHandle, "a direct send to a browser needs the keys of its subscription")
        }
        for field in fields where !field.value.isHandle {
            throw HubMessageError(.invalidHandle, "a device handle must not be empty, and must be ASCII without blanks")
        }
        return request(parts.directURL, message) { $0.append(HTTPHeaders(fields)) }
    }

    private func batchRequest(_ message: HubMessage, to handles: [String]) throws(HubMessageError) -> HTTPRequest {
        try checkIsNative(message)
        guard (1...DeviceBatch.maximumHandles).contains(handles.count), handles.allSatisfy(\.isHandle) else {
            throw HubMessageError(
                .invalidHandle,
                "a batch must have 1 to \(DeviceBatch.maximumHandles) device handles, each of ASCII without blanks"
            )
        }
        // A random boundary, so that it cannot occur in a payload.
        let boundary = "nh-batch-\(TrackingID.random())"
        let contentType = "multipart/mixed; boundary=\"\(boundary)\""
        var request = request(parts.batchURL, message, contentType: contentType) { _ in }
        // The limit of 64 KB does not apply to the whole body: a thousand Apple tokens alone exceed it, and the hub accepts
        // them.
        request.body = DeviceBatch.body(message, handles: handles, boundary: boundary)
        return request
    }

    private func checkIsNative(_ message: HubMessage) throws(HubMessageError) {
        guard message.format != .template else {
            throw HubMessageError(
                .invalidBody,
                "a direct send does not use templates: it needs a native message"
            )
        }
    }

    /// Creates a request that sends a message. The audience's fields follow the format fields.
    @inline(__always)
    private func request(
        _ url: String,
        _ message: HubMessage,
        contentType: String? = nil,
        appendAudience: (inout HTTPHeaders) -> Void
    ) -> HTTPRequest {
        let token = parts.tokens.field(now: parts.clock())
        var headers = HTTPHeaders(copying: token, reserving: 384 + message.headers.wireForm.count)
        if contentType == nil, message.format == .template {
            headers.append(parts.templateFields)
        } else {
            headers.append(Self.fields(message.format, contentType: contentType ?? message.contentType))
        }
        appendAudience(&headers)
        headers.append("TrackingId", parts.configuration.trackingID())
        headers.append(parts.agentField)
        headers.append(message.headers)
        return HTTPRequest(method: .post, url: url, headers: headers, body: message.body)
    }

    /// The header fields for content type and format.
    private static func fields(_ format: PushFormat, contentType: String) -> HTTPHeaders {
        [.init("Content-Type", contentType), .init("ServiceBusNotification-Format", format.rawValue)]
    }
}

extension HubClient {
    /// Whether a name is valid for a hub (`Constants.cs` of the .NET SDK).
    ///
    /// - Parameter name: The name.
    /// - Returns: Whether it has 1 to 260 letters, digits, `.`, `-` and `_`.
    public static func isValid(hubName name: String) -> Bool {
        HubName.isValid(name)
    }
}

extension String {
    fileprivate var isHandle: Bool {
        !isEmpty && utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

// Requests other than sends.
extension HubClient {
    /// Creates a request to a path of the hub. Each request has a new tracking ID, so create one for each attempt.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path after the hub's URL, percent-encoded, without a leading slash.
    ///   - query: Additional parameters, percent-encoded, each with a leading `&`.
    ///   - contentType: The type of the body; `nil` if there is no body.
    ///   - ifMatch: The value of `If-Match`.
    ///   - body: The body; may be empty.
    /// - Returns: The request.
    func request(
        _ method: HTTPMethod,
        _ path: String,
        query: String = "",
        contentType: String? = nil,
        ifMatch: String? = nil,
        body: [UInt8] = []
    ) -> HTTPRequest {
        var headers = HTTPHeaders(copying: tokens.field(now: clock()), reserving: 256)
        if let contentType { headers.append("Content-Type", contentType) }
        if let ifMatch { headers.append("If-Match", ifMatch) }
        headers.append("TrackingId", configuration.trackingID())
        headers.append("User-Agent", configuration.userAgent)
        let url = "\(hubURL)/\(path)?api-version=\(configuration.apiVersion)\(query)"
        return HTTPRequest(method: method, url: url, headers: headers, body: body)
    }
}

extension HubClient {
    /// Encodes an ID as one segment of a path.
    ///
    /// - Parameters:
    ///   - id: An ID given by the caller, for example of a registration.
    ///   - operation: The operation, for the error.
    /// - Returns: The percent-encoded ID.
    /// - Throws: ``HubError`` if the ID is empty, longer than 512 bytes, `.` or `..`, or contains blanks or control characters.
    static func segment(_ id: String, for operation: HubClientOperation) throws(HubError) -> String {
        guard (1...512).contains(id.utf8.count), id.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), id != ".", id != ".."
        else {
            throw HubError(
                .invalidDevice,
                "\(operation.phrase) was not tried: an ID must have 1 to 512 bytes without blanks and controls",
                operation: operation
            )
        }
        return PercentEncoding.encode(id)
    }
}

/// The settings of a hub client.
public struct HubClientConfiguration: Sendable {
    /// The API version; all current SDKs send `2020-06`.
    public var apiVersion: String
    /// The lifetime of a token. It is renewed after three quarters of that time.
    public var tokenLife: Duration
    /// The value of `User-Agent`; identifies the program in the service's logs.
    public var userAgent: String
    /// Creates the `TrackingId` of a request.
    public var trackingID: @Sendable () -> String

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - apiVersion: The API version.
    ///   - tokenLife: The lifetime of a token.
    ///   - userAgent: The value of `User-Agent`.
    ///   - trackingID: Creates the `TrackingId` of a request.
    public init(
        apiVersion: String = "2020-06",
        tokenLife: Duration = .seconds(3600),
        userAgent: String = "newsflash",
        trackingID: @escaping @Sendable () -> String = TrackingID.random
    ) {
        self.apiVersion = apiVersion
        self.tokenLife = tokenLife
        self.userAgent = userAgent
        self.trackingID = trackingID
    }
}
