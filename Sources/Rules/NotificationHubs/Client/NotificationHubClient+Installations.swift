import NewsflashHTTPTransport

// Installations, the newer way to register devices. They need only the claim Listen. The service applies writes some
// moments after its response.
extension NotificationHubClient {
    /// Reads an installation.
    ///
    /// - Parameter id: The ID, chosen by the app.
    /// - Returns: The installation, or `nil` if it does not exist.
    /// - Throws: ``HubError``.
    public func installation(_ id: String) async throws(HubError) -> Installation? {
        let path = try Self.path(id, for: .readInstallation)
        let answer: HubAnswer
        do throws(HubError) {
            answer = try await perform(.readInstallation, hiding: [id]) { () throws(HubError) in
                client.request(.get, path)
            }
        } catch {
            if error.code == .missing { return nil }
            throw error
        }
        do throws(HubValueError) {
            return try InstallationJSON.readAnswer(answer.response.body)
        } catch {
            throw HubError(unreadable: .readInstallation, error.asFaultOfAnswer, answer, at: hubURL)
        }
    }

    /// Whether an installation exists. Unlike ``installation(_:)``, decodes nothing.
    ///
    /// - Parameter id: The ID, chosen by the app.
    /// - Returns: Whether the hub has it.
    /// - Throws: ``HubError``.
    public func installationExists(_ id: String) async throws(HubError) -> Bool {
        let path = try Self.path(id, for: .readInstallation)
        return try await exists(.readInstallation, hiding: [id], path)
    }

    /// Creates or replaces an installation.
    ///
    /// - Parameter installation: The installation. Members that only the hub sets are not sent.
    /// - Throws: ``HubError``.
    public func putInstallation(_ installation: Installation) async throws(HubError) {
        let path = try Self.path(installation.id, for: .putInstallation)
        let body: [UInt8]
        do throws(HubValueError) {
            body = try InstallationJSON.request(installation)
        } catch {
            throw HubError(error, operation: .putInstallation)
        }
        let handles = ([installation.channel] + installation.secondaryTiles.map(\.channel)).flatMap(\.parts)
        _ = try await perform(.putInstallation, hiding: handles + [installation.id]) { () throws(HubError) in
            client.request(.put, path, contentType: "application/json", body: body)
        }
    }

    /// Changes parts of an installation, atomically.
    ///
    /// - Parameters:
    ///   - id: The ID of an existing installation.
    ///   - patch: The changes.
    /// - Throws: ``HubError``; with ``HubErrorCode/missing`` if the installation does not exist.
    public func patchInstallation(_ id: String, _ patch: InstallationPatch) async throws(HubError) {
        let path = try Self.path(id, for: .patchInstallation)
        let body = patch.body
        _ = try await perform(.patchInstallation, hiding: patch.handles + [id]) { () throws(HubError) in
            client.request(.patch, path, contentType: "application/json-patch+json", body: body)
        }
    }

    /// Deletes an installation, if it exists.
    ///
    /// - Parameter id: The ID, chosen by the app.
    /// - Throws: ``HubError``.
    public func deleteInstallation(_ id: String) async throws(HubError) {
        let path = try Self.path(id, for: .deleteInstallation)
        do throws(HubError) {
            _ = try await perform(.deleteInstallation, hiding: [id]) { () throws(HubError) in
                client.request(.delete, path)
            }
        } catch {
            if error.code != .missing { throw error }
        }
    }

    private static func path(_ id: String, for operation: HubClientOperation) throws(HubError) -> String {
        "installations/" + (try HubClient.segment(id, for: operation))
    }
}
