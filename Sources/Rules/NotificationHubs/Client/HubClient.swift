public import HTTPTransport
public import NotificationHubsCore
public import Timestamps

/// Builds the requests of one hub and reads its answers; opens no connection itself.
///
/// Copies share one token. Making a request costs a few small strings: URL and token are kept.
public struct HubClient: Sendable {
    /// The hub's URL, such as `https://newsdesk.servicebus.windows.net/breaking`.
    public var hubURL: String { parts.hubURL }
    var configuration: HubClientConfiguration { parts.configuration }
    var clock: @Sendable () -> Timestamp { parts.clock }
    var tokens: TokenSource { parts.tokens }
    private let parts: Parts

    /// One object, since a client is copied wherever a request is made.
    private final class Parts: Sendable {
        let hubURL: String
        let configuration: HubClientConfiguration
        let clock: @Sendable () -> Timestamp
        let tokens: TokenSource
        let sendURL: String
        let directURL: String
        let batchURL: String
        /// What and how a message for templates is, and who sends it, as fields.
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

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - connection: Where the namespace is and how to sign.
    ///   - hub: The hub's name: letters, digits, `.`, `-`, `_`, at most 260 of them.
    ///   - configuration: What may differ between clients.
    ///   - clock: Tells the present instant, for the life of tokens.
    /// - Throws: ``HubError`` for a name that no hub has.
    public init(
        connection: HubConnectionString,
        hub: String,
        configuration: HubClientConfiguration = HubClientConfiguration(),
        clock: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) throws(HubError) {
        guard Self.isValid(hubName: hub) else {
            throw HubError(.invalidHubName, "a hub's name has 1 to 260 letters, digits and . - _; this one is not so")
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

    /// The request that sends a message; a new tracking id each time, so build one an attempt.
    ///
    /// - Parameters:
    ///   - message: What is to be pushed.
    ///   - audience: Whom it is for.
    /// - Returns: Ready for a transport.
    /// - Throws: ``HubError`` with ``HubError/Code/invalidMessage`` where message and audience do not go together: a
    ///   template for device handles, no handle, or more than 1,000. Never for
    ///   ``HubAudience/broadcast`` and ``HubAudience/tags(_:)``.
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

    /// Sends a message and waits for the hub to take it.
    ///
    /// Tries once: whether to try again is for who knows how long the news lasts. See ``HubError/isRetriable`` and
    /// ``HubReply/mayHaveBeenAccepted``.
    ///
    /// - Parameters:
    ///   - message: What is to be pushed.
    ///   - audience: Whom it is for.
    ///   - transport: Carries the request.
    /// - Returns: The names under which the hub knows the message.
    /// - Throws: ``HubError`` when the message was not certainly accepted.
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

    /// What an answer, or its lack, means.
    ///
    /// - Parameters:
    ///   - result: What the transport brought.
    ///   - now: The present instant, from which a `Retry-After` with a date counts.
    /// - Returns: The same for the same arguments.
    public static func reply(to result: Result<HTTPResponse, HTTPTransportError>, now: Timestamp) -> HubReply {
        switch result {
        case .success(let response): HubReply(response, now: now)
        case .failure(let error): HubReply(error)
        }
    }

    /// Forgets the token, so that the next request carries a new one: after a 401, once.
    public func renewToken() {
        tokens.renew()
    }

    private func directRequest(_ message: HubMessage, to handle: DeviceHandle) throws(HubMessageError) -> HTTPRequest {
        try checkIsNative(message)
        var fields = [HTTPHeaders.Field("ServiceBusNotification-DeviceHandle", handle.text)]
        if let keys = handle.browserKeys {
            fields += [.init("P256DH", keys.p256dh), .init("Auth", keys.auth)]
        }
        for field in fields where !field.value.isHandle {
            throw HubMessageError(.invalidHandle, "a device handle is plain ASCII, at least one character")
        }
        return request(parts.directURL, message) { $0.append(HTTPHeaders(fields)) }
    }

    private func batchRequest(_ message: HubMessage, to handles: [String]) throws(HubMessageError) -> HTTPRequest {
        try checkIsNative(message)
        guard (1...DeviceBatch.maximumHandles).contains(handles.count), handles.allSatisfy(\.isHandle) else {
            throw HubMessageError(
                .invalidHandle,
                "a batch has 1 to \(DeviceBatch.maximumHandles) device handles, each of plain ASCII"
            )
        }
        // Random, so that no payload can have it inside.
        let boundary = "nh-batch-\(TrackingID.random())"
        let contentType = "multipart/mixed; boundary=\"\(boundary)\""
        var request = request(parts.batchURL, message, contentType: contentType) { _ in }
        // Not held to 64 KB as a whole: a thousand tokens of Apple's alone have more, and the hub takes a thousand.
        request.body = DeviceBatch.body(message, handles: handles, boundary: boundary)
        return request
    }

    private func checkIsNative(_ message: HubMessage) throws(HubMessageError) {
        guard message.format != .template else {
            throw HubMessageError(
                .invalidBody,
                "a direct send reaches devices without templates: it needs a native message"
            )
        }
    }

    /// A request that sends a message, with the fields for its audience behind those that tell its form.
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

    /// What and how a message is, as fields.
    private static func fields(_ format: PushFormat, contentType: String) -> HTTPHeaders {
        [.init("Content-Type", contentType), .init("ServiceBusNotification-Format", format.rawValue)]
    }
}

extension HubClient {
    /// Whether a hub may have a name (`Constants.cs` of the .NET SDK).
    ///
    /// - Parameter name: 1 to 260 letters, digits and `. - _`.
    /// - Returns: `false` for anything else.
    public static func isValid(hubName name: String) -> Bool {
        HubName.isValid(name)
    }
}

extension String {
    fileprivate var isHandle: Bool {
        !isEmpty && utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
