import NewsflashHTTPTransport
import NewsflashStrictXML

// Management of the hubs of a namespace. Needs the claim Manage; to create, delete and list hubs, the policy must be one of the
// namespace.
extension NotificationHubClient {
    /// Reads the descriptions of all hubs of the namespace.
    ///
    /// - Returns: The descriptions, in the service's order.
    /// - Throws: ``HubError``.
    public func hubs() async throws(HubError) -> [HubDescription] {
        let answer = try await perform(.listHubs) { () throws(HubError) in
            client.namespaceRequest(.get, "$Resources/NotificationHubs")
        }
        let feed = try document(answer, of: .listHubs, root: "feed")
        return feed.elements.filter { $0.localName == "entry" }.compactMap { HubDescription(entry: $0) }
    }

    /// Reads the description of the client's hub.
    ///
    /// - Returns: The description, or `nil` if the hub does not exist.
    /// - Throws: ``HubError``.
    public func hubDescription() async throws(HubError) -> HubDescription? {
        let answer: HubAnswer
        do throws(HubError) {
            answer = try await perform(.readHub) { () throws(HubError) in client.hubRequest(.get) }
        } catch {
            if error.status == 404 { return nil }
            throw error
        }
        // If the hub does not exist, the service responds with an empty list.
        let entry = try document(answer, of: .readHub, root: nil)
        return HubDescription(entry: entry)
    }

    /// Creates the client's hub.
    ///
    /// - Parameter description: The settings.
    /// - Returns: The description as the service stored it.
    /// - Throws: ``HubError``; with status 409 if the hub exists.
    @discardableResult
    public func createHub(_ description: HubDescription = HubDescription()) async throws(HubError) -> HubDescription {
        try await put(description, .createHub, ifMatch: nil)
    }

    /// Replaces the settings of the client's hub. The service removes each setting that the description lacks, for example a
    /// credential, so change a description that was read.
    ///
    /// ```swift
    /// if var description = try await hub.hubDescription() {
    ///     description.registrationLifetime = "P90D"
    ///     try await hub.updateHub(description)
    /// }
    /// ```
    ///
    /// - Parameter description: The settings.
    /// - Returns: The description as the service stored it.
    /// - Throws: ``HubError``; with status 404 if the hub does not exist.
    @discardableResult
    public func updateHub(_ description: HubDescription) async throws(HubError) -> HubDescription {
        try await put(description, .updateHub, ifMatch: "*")
    }

    /// Deletes the client's hub with all its registrations.
    ///
    /// - Throws: ``HubError``; with status 404 if the hub does not exist.
    public func deleteHub() async throws(HubError) {
        _ = try await perform(.deleteHub) { () throws(HubError) in client.hubRequest(.delete) }
    }

    private func put(
        _ description: HubDescription,
        _ operation: HubClientOperation,
        ifMatch: String?
    ) async throws(HubError) -> HubDescription {
        let body = description.body
        let answer = try await perform(operation) { () throws(HubError) in
            client.hubRequest(.put, contentType: Self.entryType, ifMatch: ifMatch, body: body)
        }
        guard let stored = HubDescription(entry: try document(answer, of: operation, root: "entry")) else {
            throw HubError(unreadable: operation, "it contains no description", answer, at: hubURL)
        }
        return stored
    }

    /// Decodes an XML document.
    ///
    /// - Parameters:
    ///   - answer: The response.
    ///   - operation: The operation, for the error.
    ///   - root: The name of the root; `nil` for any.
    /// - Returns: The root.
    /// - Throws: ``HubError`` if the response is another document.
    func document(
        _ answer: HubAnswer,
        of operation: HubClientOperation,
        root: String?
    ) throws(HubError) -> XMLElement {
        do throws(XMLError) {
            let document = try XMLReader.read(answer.response.body)
            if root == nil || root.map({ document.localName == $0 }) == true { return document }
        } catch {
            let fault = "it is not XML at line \(error.line), column \(error.column)"
            throw HubError(unreadable: operation, fault, answer, at: hubURL)
        }
        throw HubError(unreadable: operation, "its root is not \(root ?? "")", answer, at: hubURL)
    }
}
