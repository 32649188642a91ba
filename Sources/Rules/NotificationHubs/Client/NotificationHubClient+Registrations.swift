import NewsflashHTTPTransport
public import NotificationHubsCore

// Registrations. Every operation except listing all needs only the claim Listen.
extension NotificationHubClient {
    /// Requests a new registration ID. The app should store it: writing again with the same ID does not create another
    /// registration.
    ///
    /// - Returns: The ID, for example `7260336227650468927-4200236381151834034-1`.
    /// - Throws: ``HubError``.
    public func createRegistrationID() async throws(HubError) -> String {
        let answer = try await perform(.createRegistrationID) { () throws(HubError) in
            client.request(.post, "registrationids")
        }
        guard let id = answer.locatedID else {
            throw HubError(unreadable: .createRegistrationID, "its Location has no ID", answer, at: hubURL)
        }
        return id
    }

    /// Creates a registration with an ID chosen by the hub.
    ///
    /// Not retried if the hub may have created it. ``createRegistrationID()`` with ``upsertRegistration(_:_:ifMatch:)`` never
    /// creates two.
    ///
    /// - Parameter description: The device, its tags and its template.
    /// - Returns: The registration with its ID.
    /// - Throws: ``HubError``.
    public func createRegistration(_ description: RegistrationDescription) async throws(HubError) -> Registration {
        let body = try Self.body(of: description, for: .createRegistration)
        let answer = try await perform(.createRegistration, hiding: description.channel.parts) { () throws(HubError) in
            client.request(.post, "registrations", contentType: Self.entryType, body: body)
        }
        return try registration(in: answer, of: .createRegistration)
    }

    /// Creates or replaces the registration with a given ID.
    ///
    /// - Parameters:
    ///   - id: An ID from ``createRegistrationID()``.
    ///   - description: The device, its tags and its template.
    ///   - etag: The expected ``Registration/etag``; `nil` to write unconditionally.
    /// - Returns: The registration as the hub stored it.
    /// - Throws: ``HubError``: status 410 if the ID has expired and a new one is needed, 412 if the ETag differs, 409 if it is
    ///   written too often; ``HubErrorCode/missing`` if an ETag is given and no registration exists.
    public func upsertRegistration(
        _ id: String,
        _ description: RegistrationDescription,
        ifMatch etag: Int64? = nil
    ) async throws(HubError) -> Registration {
        let operation: HubClientOperation = etag == nil ? .upsertRegistration : .updateRegistration
        let path = try Self.path(id, for: operation)
        let body = try Self.body(of: description, for: operation)
        let answer = try await perform(operation, hiding: description.channel.parts) { () throws(HubError) in
            client.request(
                .put,
                path,
                contentType: Self.entryType,
                ifMatch: etag.map { "\"\($0)\"" },
                body: body
            )
        }
        return try registration(in: answer, of: operation)
    }

    /// Reads a registration.
    ///
    /// - Parameter id: The registration's ID.
    /// - Returns: The registration, or `nil` if it does not exist.
    /// - Throws: ``HubError``.
    public func registration(_ id: String) async throws(HubError) -> Registration? {
        let path = try Self.path(id, for: .readRegistration)
        let answer: HubAnswer
        do throws(HubError) {
            answer = try await perform(.readRegistration) { () throws(HubError) in client.request(.get, path) }
        } catch {
            if error.code == .missing { return nil }
            throw error
        }
        return try registration(in: answer, of: .readRegistration)
    }

    /// Whether a registration exists. Unlike ``registration(_:)``, decodes nothing.
    ///
    /// - Parameter id: The registration's ID.
    /// - Returns: Whether the hub has it.
    /// - Throws: ``HubError``.
    public func registrationExists(_ id: String) async throws(HubError) -> Bool {
        let path = try Self.path(id, for: .readRegistration)
        return try await exists(.readRegistration, path)
    }

    /// Whether an object exists.
    func exists(
        _ operation: HubClientOperation,
        hiding hidden: [String] = [],
        _ path: String
    ) async throws(HubError) -> Bool {
        do throws(HubError) {
            _ = try await perform(operation, hiding: hidden) { () throws(HubError) in client.request(.get, path) }
            return true
        } catch {
            if error.code == .missing { return false }
            throw error
        }
    }

    /// Deletes all registrations of a device, one at a time. ``deleteInstallation(_:)`` removes the registrations of an
    /// installation.
    ///
    /// - Parameter channel: The device.
    /// - Returns: The number of deleted registrations.
    /// - Throws: ``HubError``: some registrations may have been deleted.
    @discardableResult
    public func deleteRegistrations(of channel: PushChannel) async throws(HubError) -> Int {
        var ids: [String] = []
        var continuation: String?
        repeat {
            let page = try await registrations(.channel(channel), after: continuation)
            ids += page.registrations.map(\.id)
            if let continuation, page.continuation == continuation { break }
            continuation = page.continuation
        } while continuation != nil
        var deleted = 0
        for id in ids where try await deleteRegistration(id) { deleted += 1 }
        return deleted
    }

    /// Deletes a registration.
    ///
    /// - Parameters:
    ///   - id: The registration's ID.
    ///   - etag: The expected ``Registration/etag``; `nil` to delete unconditionally.
    /// - Returns: Whether the registration existed.
    /// - Throws: ``HubError``; with status 412 if the ETag differs.
    @discardableResult
    public func deleteRegistration(_ id: String, ifMatch etag: Int64? = nil) async throws(HubError) -> Bool {
        let path = try Self.path(id, for: .deleteRegistration)
        do throws(HubError) {
            _ = try await perform(.deleteRegistration) { () throws(HubError) in
                client.request(.delete, path, ifMatch: etag.map { "\"\($0)\"" } ?? "*")
            }
            return true
        } catch {
            if error.code == .missing || error.reply?.status == 410 { return false }
            throw error
        }
    }

    static let entryType = "application/atom+xml;type=entry;charset=utf-8"

    private static func path(_ id: String, for operation: HubClientOperation) throws(HubError) -> String {
        "registrations/" + (try HubClient.segment(id, for: operation))
    }

    private static func body(
        of description: RegistrationDescription,
        for operation: HubClientOperation
    ) throws(HubError) -> [UInt8] {
        do throws(HubValueError) {
            return try RegistrationXML.request(description)
        } catch {
            throw HubError(error, operation: operation)
        }
    }

    private func registration(
        in answer: HubAnswer,
        of operation: HubClientOperation
    ) throws(HubError) -> Registration {
        do throws(HubValueError) {
            return try RegistrationXML.readAnswer(answer.response.body)
        } catch {
            throw HubError(unreadable: operation, error.asFaultOfAnswer, answer, at: hubURL)
        }
    }
}

extension HubAnswer {
    /// The ID in `Location`, or in `Content-Location` as in the oldest pages of the service's documentation.
    var locatedID: String? {
        if let id = reply.notificationID { return id }
        guard let location = response.headers["Content-Location"] else { return nil }
        return ReplyHeaders([.init("Location", location)]).notificationID
    }
}

extension HubValueError {
    /// The fault without the service's wording, which is about requests.
    var asFaultOfAnswer: String { "\(asFaultOfEntry) [\(code.rawValue)]" }

    /// The same without the code.
    var asFaultOfEntry: String {
        switch code {
        case .deviceSyntax: "it is not well formed"
        default: path.isEmpty ? "it has another form" : "see \(path) in it"
        }
    }
}
