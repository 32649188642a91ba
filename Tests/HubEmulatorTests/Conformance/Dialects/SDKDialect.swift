import Testing

/// The form of an SDK's requests. The sources are in the reference: sections 1.2, 2.2, 3.1, 4.1 and 13.
struct SDKDialect: Sendable, CustomTestStringConvertible {
    let name: String
    let signer: DialectSigner
    let apiVersion: String
    /// The SDK's spelling of paths below the hub, by their common names, if it differs.
    var paths: [String: String] = [:]
    /// Writes a flag of the query, such as `direct`.
    var flag: @Sendable (String) -> String = { $0 }
    var putsFlagsFirst = false
    /// Whether the request line has the whole URL.
    var hasAbsoluteTargets = false
    /// The content type of Atom entries.
    var entryType = "application/atom+xml;type=entry;charset=utf-8"
    /// The content encoding: Java sends one although nothing is compressed.
    var contentEncoding: String?
    /// The type of the content of Atom entries.
    var contentType = "application/xml"
    /// The content type of JSON messages.
    var jsonType = "application/json;charset=utf-8"
    var patchType = "application/json"
    var etag: @Sendable (Int) -> String = { "W/\"\($0)\"" }
    /// Whether a description's element is the root of the content; otherwise the root is a base class with a type.
    var hasConcreteRoots = true
    /// The elements of an Apple template registration in the SDK's order.
    var templateOrder = ["Tags", "DeviceToken", "BodyTemplate", "Expiry", "TemplateName"]
    var continuation: @Sendable (String) -> String = { "continuationtoken=\($0)" }
    var handleFilter: @Sendable (String) -> String
    var batchType = "multipart/mixed; boundary=\"nh-batch-multipart-boundary\""
    var scheduleTime = "2026-01-01T01:00:00"
    /// Headers of every request.
    var headers: [String: String] = [:]

    var testDescription: String { name }
    /// Whether the SDK has batches, introduced with 2015-08; the samples of Python and PHP are older.
    var knowsBatches: Bool { apiVersion >= "2015-08" }

    var boundary: String { batchType.split(separator: "\"").dropFirst().first.map(String.init) ?? "" }

    /// Whether the SDK can send to one handle, introduced with 2015-04.
    var knowsDirectSends: Bool { apiVersion >= "2015-04" }
    /// Whether the SDK has installations, introduced with 2015-01.
    var knowsInstallations: Bool { apiVersion >= "2015-01" }

    static let all = [dotNET, java, javaScript, python, php, iOS, tutorial]

    static let dotNET = SDKDialect(
        name: ".NET",
        signer: DialectSigner(resource: .path, hasCapitalsInSignature: false, blank: "+"),
        apiVersion: "2020-06",
        jsonType: "application/json",
        patchType: "application/json-patch+json",
        etag: { "\"\($0)\"" },
        hasConcreteRoots: false,
        handleFilter: { "$filter=ChannelUri+eq+%27\($0)%27" },
        headers: [
            "TrackingId": "2f0bd2a6-7e0c-4f0c-9d3c-0b8f6ac1c0de", "User-Agent": "NHub/2020-06 (api-origin=DotNetSdk)",
        ]
    )

    static let java = SDKDialect(
        name: "Java",
        signer: DialectSigner(resource: .url, blank: " "),
        apiVersion: "2020-06",
        entryType: "application/atom+xml; charset=ISO-8859-1",
        contentEncoding: "utf-8",
        continuation: { "ContinuationToken=\($0)" },
        handleFilter: { "$filter=ChannelUri+eq+%27\($0)%27" },
        headers: ["User-Agent": "NHub/2020-06 (api-origin=JavaSDK)"]
    )

    static let javaScript = SDKDialect(
        name: "JavaScript",
        signer: DialectSigner(resource: .namespace, hasCapitalsInResource: true),
        apiVersion: "2020-06",
        paths: ["registrationids": "registrationIDs", "messages": "messages/"],
        flag: { "\($0)=true" },
        templateOrder: ["DeviceToken", "TemplateName", "BodyTemplate", "Tags", "Expiry"],
        // The token is encoded once more than it was received.
        continuation: { "continuationtoken=\($0.replacing("%", with: "%25"))" },
        handleFilter: { "%24filter=DeviceToken%20eq%20%27\($0)%27" },
        batchType: "multipart/mixed; boundary = \"nh-boundary-0823ede8-409c-48d9-a4f6-22dcc648f5f0\"",
        scheduleTime: "2026-01-01T01:00:00.000Z",
        headers: ["x-ms-version": "2020-06", "x-ms-client-request-id": "0823ede8-409c-48d9-a4f6-22dcc648f5f0"]
    )

    static let python = SDKDialect(
        name: "Python",
        signer: DialectSigner(resource: .hub, leavesSlashes: true, order: ["sig", "se", "skn", "sr"]),
        apiVersion: "2015-04",
        paths: ["messages": "messages/"],
        putsFlagsFirst: true,
        hasAbsoluteTargets: true,
        handleFilter: { "$filter=ChannelUri%20eq%20'\($0)'" }
    )

    static let php = SDKDialect(
        name: "PHP",
        signer: DialectSigner(resource: .url),
        apiVersion: "2015-04",
        paths: ["registrations": "Registrations", "messages": "Messages"],
        handleFilter: { "$filter=ChannelUri%20eq%20%27\($0)%27" }
    )

    /// `WindowsAzureMessaging`, used by the apps of the tutorials (`SBNotificationHub.m`, `SBTokenProvider.m`).
    static let iOS = SDKDialect(
        name: "iOS",
        signer: DialectSigner(resource: .plainURL, hasCapitalsInSignature: false),
        apiVersion: "2013-04",
        paths: ["registrations": "Registrations/", "messages": "messages/"],
        putsFlagsFirst: true,
        entryType: "application/xml",
        contentType: "text/xml",
        etag: { "\"\($0)\"" },
        handleFilter: { "$filter=deviceToken+eq+'\($0)'" },
        headers: ["User-Agent": "NOTIFICATIONHUBS/2013-04(api-origin=IosSdk; os=iOS; os_version=12.4;)"]
    )

    /// The requests that the tutorials write by hand (`generateSasToken`).
    static let tutorial = SDKDialect(
        name: "tutorial",
        signer: DialectSigner(resource: .url, hasCapitalsInSignature: false, order: ["sig", "se", "skn", "sr"]),
        apiVersion: "2015-01",
        paths: ["messages": "messages/"],
        putsFlagsFirst: true,
        handleFilter: { "$filter=DeviceToken%20eq%20'\($0)'" }
    )
}
