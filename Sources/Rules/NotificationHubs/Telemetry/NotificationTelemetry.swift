public import Timestamps

/// What the hub tells about one message. While it is under way the numbers still grow.
public struct NotificationTelemetry: Sendable, Equatable, CustomStringConvertible {
    /// The message's name.
    public let id: String
    /// How far it is.
    public let state: State
    /// When the hub took it.
    public let enqueued: Timestamp?
    /// When the first device was served.
    public let started: Timestamp?
    /// When the last device was served.
    public let ended: Timestamp?
    /// The message itself. Words of news: not for a log.
    public let body: String?
    /// The tag expression; nothing for a broadcast.
    public let tags: String?
    /// As the hub calls them: `apple`, or for templates `appletemplate`.
    public let targetPlatforms: [String]
    /// For each platform, how many devices had which outcome.
    public let outcomes: [PushPlatform: [Outcome: Int]]
    /// Where the push services' own errors lie, as a link with a signature of its own: not for a log.
    public let errorDetailsURL: String?
    /// The hub's answer as it came: XML, `NotificationDetails`.
    public let document: [UInt8]

    /// How far a message is. The service may name others.
    public struct State: RawRepresentable, Hashable, Sendable {
        /// The hub's word.
        public var rawValue: String

        /// Makes a state of any name.
        ///
        /// - Parameter rawValue: The hub's word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Waits for its turn.
        public static let enqueued = State(rawValue: "Enqueued")
        /// Waits for its time.
        public static let scheduled = State(rawValue: "Scheduled")
        /// Is being sent.
        public static let processing = State(rawValue: "Processing")
        /// All devices are served.
        public static let completed = State(rawValue: "Completed")
        /// Was taken back before its time.
        public static let cancelled = State(rawValue: "Canceled")
        /// Was not served in time.
        public static let abandoned = State(rawValue: "Abandoned")
        /// Has no device.
        public static let noTargetFound = State(rawValue: "NoTargetFound")
        /// The hub does not know.
        public static let unknown = State(rawValue: "Unknown")

        /// Whether nothing more happens to the message.
        public var isFinal: Bool {
            [.completed, .cancelled, .abandoned, .noTargetFound].contains(self)
        }
    }

    /// What became of a message on a device. The service may name others.
    ///
    /// Source: https://learn.microsoft.com/rest/api/notificationhubs/get-notification-message-telemetry
    public struct Outcome: RawRepresentable, Hashable, Sendable {
        /// The hub's word, such as `WrongToken` or `ExpiredChannel`.
        public var rawValue: String

        /// Makes an outcome of any name.
        ///
        /// - Parameter rawValue: The hub's word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Handed to the push service.
        public static let success = Outcome(rawValue: "Success")
        /// Not sent, since the same handle had it already.
        public static let skipped = Outcome(rawValue: "Skipped")
    }

    /// On how many devices of all platforms it had an outcome.
    ///
    /// - Parameter outcome: Such as ``Outcome/success``.
    /// - Returns: The sum.
    public func count(of outcome: Outcome) -> Int {
        outcomes.values.reduce(0) { $0.addingReportingOverflow($1[outcome] ?? 0).partialValue }
    }

    /// Name, state and numbers, without the message.
    public var description: String {
        let counts = outcomes.sorted { $0.key.rawValue < $1.key.rawValue }.map { platform, counts in
            let numbers = counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key.rawValue) \($0.value)" }
            return "\(platform.rawValue): \(numbers.joined(separator: ", "))"
        }
        return (["\(id) \(state.rawValue)"] + counts).joined(separator: "; ")
    }
}

extension NotificationTelemetry {
    /// Reads the answer. Shape: the data contracts of the .NET and Java SDKs.
    ///
    /// - Parameter document: The answer's body.
    /// - Throws: Where it is no such document.
    init(document: [UInt8]) throws(HubDocumentError) {
        let details = try HubDocument(document, root: "NotificationDetails")
        self.id = try details.required("NotificationId")
        // The .NET SDK spells it in British.
        let state = try details.required("State")
        self.state = state == "Cancelled" ? .cancelled : State(rawValue: state)
        self.enqueued = try details.instant("EnqueueTime")
        self.started = try details.instant("StartTime")
        self.ended = try details.instant("EndTime")
        self.body = try details.text("NotificationBody")
        self.tags = try details.text("Tags")
        let platforms = try details.text("TargetPlatforms") ?? ""
        self.targetPlatforms = platforms.split(separator: ",").map { String($0.trimmed) }
        var outcomes: [PushPlatform: [Outcome: Int]] = [:]
        for (platform, element) in Self.elements {
            for outcome in try details.members("Outcome", of: element) {
                let name = Outcome(rawValue: try outcome.required("Name"))
                let count = try outcome.count("Count")
                let sum = outcomes[platform, default: [:]][name, default: 0].addingReportingOverflow(count)
                guard !sum.overflow else { throw HubDocumentError("\(element) counts more than there are devices") }
                outcomes[platform, default: [:]][name] = sum.partialValue
            }
        }
        self.outcomes = outcomes
        self.errorDetailsURL = try details.text("PnsErrorDetailsUri")
        self.document = document
    }

    /// Firebase's old protocol has two names.
    private static let elements: [(platform: PushPlatform, element: String)] = [
        (.apns, "ApnsOutcomeCounts"), (.mpns, "MpnsOutcomeCounts"), (.wns, "WnsOutcomeCounts"),
        (.gcm, "GcmOutcomeCounts"), (.gcm, "FcmOutcomeCounts"), (.adm, "AdmOutcomeCounts"),
        (.fcmv1, "FcmV1OutcomeCounts"), (.baidu, "BaiduOutcomeCounts"), (.browser, "BrowserOutcomeCounts"),
        (.xiaomi, "XiaomiOutcomeCounts"),
    ]
}
