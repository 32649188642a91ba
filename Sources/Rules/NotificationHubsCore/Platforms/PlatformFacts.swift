/// A row of the table of platforms: the names of a push service in the hub's documents, and its limits.
package struct PlatformFacts: Sendable {
    /// The platform.
    package let platform: PushPlatform
    /// The format of native messages.
    package let format: PushFormat
    /// The prefix of the elements: `Apple` in `AppleTemplateRegistrationDescription`.
    package let elementPrefix: String
    /// The elements that contain the parts of a channel, the handle first.
    package let channelElements: [String]
    /// The name of the handle in the service's errors.
    package let handleName: String
    /// The element of each header of a template; the element that contains all of them has an additional `s`.
    package let headerElement: String?
    /// The elements of outcome counts in telemetry, the present name first.
    package let outcomeElements: [String]
    /// The maximum size of a payload in bytes.
    package let maximumPayloadBytes: Int
    /// The media types used by the service's pages and the SDKs, the usual one first.
    package let mediaTypes: [String]
    /// The beginnings of the names of headers that the hub passes to the push service, in lower case.
    package let headerPrefixes: [String]
    /// Whether the push service does not exist any more.
    package let isRetired: Bool

    private init(
        _ platform: PushPlatform,
        _ format: PushFormat,
        _ elementPrefix: String,
        channelElements: [String]? = nil,
        handleName: String,
        headerElement: String? = nil,
        outcomeElements: [String],
        maximumPayloadBytes: Int = 4096,
        mediaTypes: [String] = ["application/json"],
        headerPrefixes: [String] = [],
        isRetired: Bool = false
    ) {
        self.platform = platform
        self.format = format
        self.elementPrefix = elementPrefix
        self.channelElements = channelElements ?? [elementPrefix + "RegistrationId"]
        self.handleName = handleName
        self.headerElement = headerElement
        self.outcomeElements = outcomeElements
        self.maximumPayloadBytes = maximumPayloadBytes
        self.mediaTypes = mediaTypes
        self.headerPrefixes = headerPrefixes
        self.isRetired = isRetired
    }

    /// The known platforms, in the order of the service's telemetry (data contracts of
    /// https://github.com/Azure/azure-notificationhubs-dotnet).
    package static let all = [
        PlatformFacts(
            .apns,
            .apple,
            "Apple",
            channelElements: ["DeviceToken"],
            handleName: "Device token",
            headerElement: "ApnsHeader",
            outcomeElements: ["ApnsOutcomeCounts"],
            headerPrefixes: ["apns-"]
        ),
        PlatformFacts(
            .mpns,
            .windowsphone,
            "Mpns",
            channelElements: ["ChannelUri"],
            handleName: "Channel URI",
            headerElement: "MpnsHeader",
            outcomeElements: ["MpnsOutcomeCounts"],
            maximumPayloadBytes: 3072,
            mediaTypes: ["application/xml", "text/xml"],
            headerPrefixes: ["x-windowsphone-target", "x-notificationclass"],
            isRetired: true
        ),
        PlatformFacts(
            .wns,
            .windows,
            "Windows",
            channelElements: ["ChannelUri"],
            handleName: "Channel URI",
            headerElement: "WnsHeader",
            outcomeElements: ["WnsOutcomeCounts"],
            maximumPayloadBytes: 5120,
            // Raw notifications can have any type, and XML has two names.
            mediaTypes: ["application/xml", "text/xml", "application/octet-stream", "application/json"],
            headerPrefixes: ["x-wns-"]
        ),
        PlatformFacts(
            .gcm,
            .gcm,
            "Gcm",
            handleName: "GCM Registration Id",
            outcomeElements: ["GcmOutcomeCounts", "FcmOutcomeCounts"],
            isRetired: true
        ),
        PlatformFacts(
            .adm,
            .adm,
            "Adm",
            handleName: "ADM Registration Id",
            outcomeElements: ["AdmOutcomeCounts"],
            maximumPayloadBytes: 6144
        ),
        PlatformFacts(
            .fcmv1,
            .fcmv1,
            "FcmV1",
            handleName: "FCM V1 Registration Id",
            outcomeElements: ["FcmV1OutcomeCounts"]
        ),
        PlatformFacts(
            .baidu,
            .baidu,
            "Baidu",
            channelElements: ["BaiduUserId", "BaiduChannelId"],
            handleName: "Baidu Registration Id",
            outcomeElements: ["BaiduOutcomeCounts"],
            // .NET sends a form.
            mediaTypes: ["application/json", "application/x-www-form-urlencoded"],
            headerPrefixes: ["x-baidu-"]
        ),
        PlatformFacts(
            .browser,
            .browser,
            "Browser",
            channelElements: ["Endpoint", "P256DH", "Auth"],
            handleName: "Browser push channel",
            outcomeElements: ["BrowserOutcomeCounts"],
            maximumPayloadBytes: 3993
        ),
        PlatformFacts(
            .xiaomi,
            .xiaomi,
            "Xiaomi",
            handleName: "Xiaomi Registration Id",
            outcomeElements: ["XiaomiOutcomeCounts"]
        ),
    ]

    fileprivate static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.platform.rawValue, $0) })
    fileprivate static let byFormat = Dictionary(uniqueKeysWithValues: all.map { ($0.format, $0) })
}

extension PushPlatform {
    /// The row of the table; `nil` if the platform is not known.
    package var facts: PlatformFacts? { PlatformFacts.byName[rawValue] }
}

extension PushFormat {
    /// The row of the table; `nil` for ``PushFormat/template``.
    package var facts: PlatformFacts? { PlatformFacts.byFormat[self] }
}
