import HTTPTransport

// Registrations. All but lists of all need only the claim Listen.
extension NotificationHubClient {
    /// Asks for a name for a registration, to be kept by the app: writing under it again does not make another.
    ///
    /// - Returns: Such as `7260336227650468927-4200236381151834034-1`.
    /// - Throws: ``HubError``.
    public func createRegistrationID() async throws(HubError) -> String {
        let answer = try await perform(.createRegistrationID) { () throws(HubError) in
            client.request(.post, "registrationids")
        }
        guard let id = answer.locatedID else {
            throw HubError(unreadable: .createRegistrationID, "it has no id in its Location", answer, at: hubURL)
        }
        return id
    }

    /// Makes a registration under a name of the hub's choice.
    ///
    /// Not tried again where the hub may have made it: ``createRegistrationID()`` and
    /// ``upsertRegistration(_:_:ifMatch:)`` never leave two behind.
    ///
    /// - Parameter description: What the device registers.
    /// - Returns: The registration with its name.
    /// - Throws: ``HubError``.
    public func createRegistration(_ description: RegistrationDescription) async throws(HubError) -> Registration {
        let body = try Self.body(of: description, for: .createRegistration)
        let answer = try await perform(.createRegistration) { () throws(HubError) in
            client.request(.post, "registrations", contentType: Self.entryType, body: body)
        }
        return try registration(in: answer, of: .createRegistration)
    }

    /// Makes or replaces the registration of a name.
    ///
    /// - Parameters:
    ///   - id: From ``createRegistrationID()``.
    ///   - description: What the device registers.
    ///   - etag: ``Registration/etag`` of what is to be replaced, where nobody may have written since; nothing to write
    ///     whatever is there.
    /// - Returns: The registration as the hub keeps it.
    /// - Throws: ``HubError``: status 410 where the id is used up and a new one is needed, 412 where another etag is there,
    ///   409 where it is written too often; ``HubError/Code/missing`` with an etag where nothing is there.
    public func upsertRegistration(
        _ id: String,
        _ description: RegistrationDescription,
        ifMatch etag: Int64? = nil
    ) async throws(HubError) -> Registration {
        let operation: HubClientOperation = etag == nil ? .upsertRegistration : .updateRegistration
        let path = try Self.path(id, for: operation)
        let body = try Self.body(of: description, for: operation)
        let answer = try await perform(operation) { () throws(HubError) in
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
    /// - Parameter id: Its name.
    /// - Returns: Nothing where there is none.
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

    /// Removes a registration.
    ///
    /// - Parameters:
    ///   - id: Its name.
    ///   - etag: ``Registration/etag``, where nobody may have written since; nothing to remove whatever is there.
    /// - Returns: Whether it was there.
    /// - Throws: ``HubError``; with status 412 where another etag is there.
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
        do throws(DeviceError) {
            return try RegistrationXML.request(description)
        } catch {
            throw HubError(error, operation: operation)
        }
    }

    private func registration(
        in answer: HubAnswer,
        of operation: HubClientOperation
    ) throws(HubError) -> Registration {
        do throws(DeviceError) {
            return try RegistrationXML.readAnswer(answer.response.body)
        } catch {
            throw HubError(unreadable: operation, error.asFaultOfAnswer, answer, at: hubURL)
        }
    }
}

extension HubAnswer {
    /// What the hub named in `Location`, or as the oldest pages have it, in `Content-Location`.
    var locatedID: String? {
        if let id = reply.notificationID { return id }
        guard let location = response.headers["Content-Location"] else { return nil }
        return ReplyHeaders([.init("Location", location)]).notificationID
    }
}

extension DeviceError {
    /// The fault without the words of the service, which speak of a request.
    var asFaultOfAnswer: String {
        switch code {
        case .syntax: "it is not well formed [\(code.rawValue)]"
        default: path.isEmpty ? "[\(code.rawValue)]" : "see \(path) in it [\(code.rawValue)]"
        }
    }
}
