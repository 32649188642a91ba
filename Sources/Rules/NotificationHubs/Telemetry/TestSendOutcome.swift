/// What became of a test send on each of its devices, at most ten.
public struct TestSendOutcome: Sendable, Equatable, CustomStringConvertible {
    /// On how many devices it was handed to the push service.
    public let success: Int
    /// On how many it was not.
    public let failure: Int
    /// One for each device.
    public let results: [Result]
    /// The names under which the hub knows the message.
    public let acceptance: HubAcceptance
    /// The hub's answer as it came: XML, `NotificationOutcome`.
    public let document: [UInt8]

    /// What became of a test send on one device.
    public struct Result: Sendable, Equatable {
        /// The platform as the hub calls it: `apple`, or for a template `appletemplate`.
        public let platform: String
        /// The device's handle.
        public let handle: String
        /// The registration through which it was reached.
        public let registrationID: String
        /// What the push service said, in the hub's words.
        public let outcome: String
    }

    /// Reads the answer to a test send. Shape: the data contract of the .NET SDK.
    ///
    /// - Parameters:
    ///   - document: The answer's body.
    ///   - acceptance: What the answer's headers say.
    /// - Throws: Where it is no such document.
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
