import NewsflashEvents
import NewsflashHTTPServer
import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTimestamps
import NotificationHubs

/// The operations for signed-in users.
struct GatewayService: Sendable {
    let registrations: RegistrationController
    let installations: InstallationController
    let notifications: NotificationController
    let events: EventController
    let secure: any SecureNotifications
    let handles: DeviceHandles

    /// Performs a request.
    ///
    /// - Parameters:
    ///   - call: The decoded request.
    ///   - request: The request as received.
    ///   - user: The signed-in user.
    ///   - requestID: The request's ID in the log.
    /// - Returns: The response.
    /// - Throws: ``GatewayRefusal``.
    func perform(
        _ call: GatewayCall,
        _ request: HTTPServerRequest,
        for user: GatewayUser,
        id requestID: String
    ) async throws(GatewayRefusal) -> Answer {
        let mediaType = try RequestForm.mediaType(of: request, for: call)
        switch call {
        case .newRegistration(let handle):
            let id = try await registrations.newRegistration(handle: handle, for: user)
            // A JSON string, because the tutorial's apps remove the quotes themselves.
            var writer = JSONWriter()
            writer.value(id)
            return Answer(.json(writer.bytes), subject: id)
        case .putRegistration(let id):
            try await registrations.put(id, request.body, for: user)
            return Answer(status: 200)
        case .deleteRegistration(let id):
            try await registrations.delete(id, for: user)
            return Answer(status: 200)
        case .readInstallation(let id): return Answer(.json(try await installations.read(id, for: user)))
        case .putInstallation(let id):
            try await installations.put(id, request.body, for: user)
            return Answer(status: 200)
        case .patchInstallation(let id):
            try await installations.patch(id, request.body, for: user)
            return Answer(status: 200)
        case .deleteInstallation(let id):
            try await installations.delete(id, for: user)
            return Answer(status: 204)
        case .notify(let platform, let recipient, let isTest):
            let outcome = try await notifications.send(
                on: platform,
                to: recipient,
                isTest: isTest,
                request.body,
                from: user
            )
            guard let outcome else { return Answer(status: 200) }
            let type = [(name: "Content-Type", value: "application/xml; charset=utf-8")]
            return Answer(HTTPServerResponse(status: 200, headers: type, body: .bytes(outcome)))
        case .notifySelf:
            return Answer(.json(try await notifications.sendToSelf(request.body, from: user).json))
        case .publishEvent(let source):
            let trace = request.first(named: TraceParent.header).flatMap { TraceParent(Array($0.utf8)) }
            let event = try await events.publish(
                request.body,
                mediaType: mediaType,
                source: source,
                from: EventController.Origin(user: user, request: requestID, trace: trace)
            )
            return Answer(.accepted(event), subject: event.id, story: event.story)
        case .readOutcome(let event):
            guard let record = try events.outcome(of: event, for: user) else { return Answer(.unknownOutcome) }
            return Answer(.json(record))
        case .readNotification(let token):
            let languages = RequestForm.languages(of: request)
            let reader = SecureReader(name: user.name) { () throws(GatewayRefusal) in
                try await handles.tags(of: user)
            }
            switch await secure.notification(token, for: reader, languages: languages) {
            case .found(let text): return Answer(.json(text.json))
            case .notFound: throw .notFound
            case .withdrawn: throw GatewayRefusal(410, "withdrawn", "The newsroom has withdrawn this.")
            case .unavailable:
                throw .unavailable("texts_unavailable", "The text cannot be read yet: try again.", after: .seconds(2))
            }
        }
    }

    /// A response, with details for the audit log.
    struct Answer: Sendable {
        let response: HTTPServerResponse
        /// The ID created by the call, or the ID of the event in its body.
        let subject: String?
        let story: String?

        init(_ response: HTTPServerResponse, subject: String? = nil, story: String? = nil) {
            self.response = response
            self.subject = subject
            self.story = story
        }

        init(status: Int) { self.init(HTTPServerResponse(status: status)) }
    }
}

extension NotificationController.Report {
    /// `{"accepted":["apns"],"failed":[{"platform":"gcm","error":"hub_refused","message":"…"}]}`.
    fileprivate var json: [UInt8] {
        JSONWriter.object(reservingCapacity: 256) { writer in
            writer.member("accepted", accepted.map(\.rawValue))
            writer.name("failed")
            writer.beginArray()
            for (platform, refusal) in failed {
                writer.beginObject()
                writer.member("platform", platform.rawValue)
                writer.member("error", refusal.label)
                writer.member("message", refusal.message)
                writer.endObject()
            }
            writer.endArray()
        }
    }
}

extension HTTPServerResponse {
    static func json(_ bytes: [UInt8], status: Int = 200) -> HTTPServerResponse {
        HTTPServerResponse(status: status, headers: [("Content-Type", "application/json")], body: .bytes(bytes))
    }

    fileprivate static func accepted(_ event: NewsEvent) -> HTTPServerResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("id", event.id)
        writer.member("story", event.story)
        writer.endObject()
        var response = json(writer.bytes, status: 202)
        response.headers.append(("Location", "/api/events/" + PercentEncoding.encode(event.id, uppercase: true)))
        return response
    }

    fileprivate static var unknownOutcome: HTTPServerResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("error", "unknown")
        writer.member("message", "The outcome of this event is not known yet, or is no longer stored.")
        writer.member("state", "unknown")
        writer.endObject()
        return json(writer.bytes, status: 404)
    }
}

extension SecureText {
    /// The text as the subscriber gets it.
    fileprivate var json: [UInt8] {
        JSONWriter.object(reservingCapacity: 512) { writer in
            writer.member("id", id)
            writer.member("story", story)
            writer.member("kind", kind)
            writer.member("locale", locale)
            writer.member("headline", headline)
            writer.member("summary", summary)
            writer.member("url", url)
            writer.member("image", image)
            writer.member("published", published)
        }
    }
}
