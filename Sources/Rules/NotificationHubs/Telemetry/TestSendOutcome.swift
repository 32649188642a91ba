/// The outcome of a test send on each of its devices, at most ten.
public struct TestSendOutcome: Sendable, Equatable, CustomStringConvertible {
    /// The number of devices for which the message was passed to the push service.
    public let success: Int
    /// The number of other devices.
    public let failure: Int
    /// The results, one for each device.
    public let results: [Result]
    /// The hub's IDs of the message.
    public let acceptance: HubAcceptance
    /// The hub's response as received: XML, `NotificationOutcome`.
    public let document: [UInt8]

    /// The outcome of a test send on one device.
    public struct Result: Sendable, Equatable {
        /// The platform by the hub's name: `apple`, or for a template `appletemplate`.
        public let platform: String
        /// The device's handle.
        public let handle: String
        /// The ID of the registration that was used.
        public let registrationID: String
        /// The push service's response, as reported by the hub.
        public let outcome: String
    }

    /// Decodes the response to a test send. Its format is that of the data contract of the .NET SDK.
    ///
    /// - Parameters:
    ///   - document: The response body.
    ///   - acceptance: The IDs from the response headers.
    /// - Throws: ``HubDocumentError`` if the document has another format.
    init(document: [UInt8], acceptance: HubAcceptance) throws(HubDocumentError) {
        let outcome = try HubDocument(document, root: "NotificationOutcome")
        self.success = try outcome.count("Success")
        self.failure = try outcome.count("Failure")
        var results: [Result] = []
        for result in try outcome.members("RegistrationResult", of: "Results") {
            results.append(
                Result(
                    platform: try result.required("ApplicationPlatform"),
                    handle: try result.text("PnsHandle") ?? "",
                    registrationID: try result.text("RegistrationId") ?? "",
                    outcome: try result.required("Outcome")
                )
            )
        }
        self.results = results
        self.acceptance = acceptance
        self.document = document
    }

    /// The two numbers, without handles.
    public var description: String { "\(success) sent, \(failure) not sent" }
}
