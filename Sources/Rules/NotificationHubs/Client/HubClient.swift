package import NewsflashHTTPTransport
package import NewsflashTimestamps
package import NotificationHubsCore

/// Creates the requests to one hub and decodes its responses; opens no connection.
///
/// Copies share one token. Creating a request is cheap, because URL and token are cached.
package struct HubClient: Sendable {
    /// The hub's URL, such as `https://newsdesk.servicebus.windows.net/breaking`.
    package var hubURL: String { parts.hubURL }
    var configuration: HubClientConfiguration { parts.configuration }
    var clock: @Sendable () -> Timestamp { parts.clock }
    var tokens: TokenSource { parts.tokens }
    /// The URL of the namespace.
    var namespaceURL: String { parts.namespaceURL }
    private let parts: Parts

    /// A single object, because a client is copied for every request.
    private final class Parts: Sendable {
        let hubURL: String
        let namespaceURL: String
        let configuration: HubClientConfiguration
        let clock: @Sendable () -> Timestamp
        let tokens: TokenSource
        /// Tokens for requests about all hubs of the namespace.
        let namespaceTokens: TokenSource
        let sendURL: String
        let directURL: String
        let batchURL: String
        /// The header fields for content type and format of a template message.
        let templateFields: HTTPHeaders
        let agentField: HTTPHeaders

        init(
            _ connection: HubConnectionString,
            hub: String,
            _ configuration: HubClientConfiguration,
            _ clock: @escaping @Sendable () -> Timestamp
        ) {
            self.namespaceURL = connection.endpoint.url
            self.hubURL = namespaceURL + "/" + hub
            self.configuration = configuration
            self.clock = clock
            let tokens = { url in
                TokenSource(
                    hubURL: url,
                    keyName: connection.keyName,
                    key: connection.key,
                    life: configuration.tokenLife
                )
            }
            self.tokens = tokens(hubURL)
            self.namespaceTokens = tokens(namespaceURL)
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
    package init(
        connection: HubConnectionString,
        hub: String,
        configuration: HubClientConfiguration = HubClientConfiguration(),
        clock: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) throws(HubError) {
        guard Self.isValid(hubName: hub) else {
            throw HubError(.invalidHubName, "a hub's name must have 1 to 260 letters, digits and . - _")
        }
        self.parts = Parts(connection, hub: hub, configuration, clock)
    }

    /// Creates the request that sends a message. Each request has a new tracking ID, so create one for each attempt.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - audience: The devices to address.
    /// - Returns: The request.
    /// - Throws: ``HubError`` with ``HubErrorCode/invalidMessage`` if the message cannot go to the audience: a template
    ///   message
    ///   for device handles, no handle, or more than 1,000 handles. Never thrown for ``HubAudience/broadcast`` and
    ///   ``HubAudience/tags(_:)``.
    package func request(for message: HubMessage, to audience: HubAudience) throws(HubError) -> HTTPRequest {
        do throws(HubValueError) {
            switch audience {
            case .broadcast: return request(parts.sendURL, message) { _ in }
            case .tags(let expression):
                return request(parts.sendURL, message) {
                    $0.append("ServiceBusNotification-Tags", expression.description)
                }
            case .device(let device): return try directRequest(message, to: device)
            case .devices(let handles): return try batchRequest(message, to: handles)
            }
        } catch {
            throw HubError(error)
        }
    }

    /// Interprets a response or a transport error.
    ///
    /// - Parameters:
    ///   - result: The result from the transport.
    ///   - now: The current time; a `Retry-After` with a date is relative to it.
    /// - Returns: The decoded reply.
    package static func reply(to result: Result<HTTPResponse, HTTPTransportError>, now: Timestamp) -> HubReply {
        switch result {
        case .success(let response): HubReply(response, now: now)
        case .failure(let error): HubReply(error)
        }
    }

    /// Discards the token, so that the next request has a new one. Call it once after a 401.
    package func renewToken() {
        tokens.renew()
        parts.namespaceTokens.renew()
    }

    /// Signs all further requests with the key of another connection string.
    func replaceKey(_ connection: HubConnectionString) {
        tokens.replaceKey(name: connection.keyName, key: connection.key)
        parts.namespaceTokens.replaceKey(name: connection.keyName, key: connection.key)
    }

    private func directRequest(_ message: HubMessage, to device: PushChannel) throws(HubValueError) -> HTTPRequest {
        try checkIsNative(message)
        guard device.platform == message.format.platform else {
            throw HubValueError(
                .messageInvalidHandle,
                "the device is of the platform \(device.platform.rawValue), but the message is for "
                    + "\(message.format.platform?.rawValue ?? message.format.rawValue)"
            )
        }
        var fields = [HTTPHeaders.Field("ServiceBusNotification-DeviceHandle", device.handle)]
        if device.platform == .browser {
            guard device.parts.count == 3 else {
                throw HubValueError(
                    .messageInvalidHandle,
                    "a direct send to a browser needs the keys of its subscription"
                )
            }
            fields += [.init("P256DH", device.parts[1]), .init("Auth", device.parts[2])]
        }
        for field in fields where !field.value.isHandle {
            throw HubValueError(
                .messageInvalidHandle,
                "a device handle must not be empty, and must be ASCII without blanks"
            )
        }
        return request(parts.directURL, message) { $0.append(HTTPHeaders(fields)) }
    }

    private func batchRequest(_ message: HubMessage, to handles: [String]) throws(HubValueError) -> HTTPRequest {
        try checkIsNative(message)
        guard (1...DeviceBatch.maximumHandles).contains(handles.count), handles.allSatisfy(\.isHandle) else {
            throw HubValueError(
                .messageInvalidHandle,
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

    private func checkIsNative(_ message: HubMessage) throws(HubValueError) {
        guard message.format != .template else {
            throw HubValueError(
                .messageInvalidBody,
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
    package static func isValid(hubName name: String) -> Bool {
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

    /// Creates a request about the hub itself.
    func hubRequest(
        _ method: HTTPMethod,
        contentType: String? = nil,
        ifMatch: String? = nil,
        body: [UInt8] = []
    ) -> HTTPRequest {
        var request = request(method, "", contentType: contentType, ifMatch: ifMatch, body: body)
        request.url = "\(hubURL)?api-version=\(configuration.apiVersion)"
        return request
    }

    /// Creates a request about all hubs of the namespace.
    func namespaceRequest(_ method: HTTPMethod, _ path: String) -> HTTPRequest {
        var headers = HTTPHeaders(copying: parts.namespaceTokens.field(now: clock()), reserving: 256)
        headers.append("TrackingId", configuration.trackingID())
        headers.append("User-Agent", configuration.userAgent)
        let url = "\(namespaceURL)/\(path)?api-version=\(configuration.apiVersion)"
        return HTTPRequest(method: method, url: url, headers: headers)
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
package struct HubClientConfiguration: Sendable {
    /// The API version; all current SDKs send `2020-06`.
    package var apiVersion: String
    /// The lifetime of a token. It is renewed after three quarters of that time.
    package var tokenLife: Duration
    /// The value of `User-Agent`; identifies the program in the service's logs.
    package var userAgent: String
    /// Creates the `TrackingId` of a request.
    package var trackingID: @Sendable () -> String

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - apiVersion: The API version.
    ///   - tokenLife: The lifetime of a token.
    ///   - userAgent: The value of `User-Agent`.
    ///   - trackingID: Creates the `TrackingId` of a request.
    package init(
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
