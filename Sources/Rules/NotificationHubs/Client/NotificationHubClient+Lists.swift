import HTTPTransport

/// Selects the registrations of a list.
public enum RegistrationFilter: Sendable, Hashable {
    /// All registrations of the hub. Needs the claim Manage.
    case all
    /// The registrations with a tag. Needs the claim Manage.
    case tag(Tag)
    /// The registrations of one device. Needs the claim Listen.
    case channel(PushChannel)
}

/// A page of a list of registrations.
public struct RegistrationPage: Sendable, Equatable {
    /// The registrations, in the hub's order.
    public let registrations: [Registration]
    /// The token for the next page; `nil` on the last page.
    public let continuation: String?
}

// Lists of registrations. They include installations: each has a native registration and one for each template.
extension NotificationHubClient {
    /// Reads a page of registrations.
    ///
    /// - Parameters:
    ///   - filter: Selects the registrations.
    ///   - top: The maximum number on a page, from 1 to 100.
    ///   - continuation: ``RegistrationPage/continuation`` of the previous page.
    /// - Returns: The page; may be empty even if another page follows.
    /// - Throws: ``HubError``.
    public func registrations(
        _ filter: RegistrationFilter = .all,
        top: Int = 100,
        after continuation: String? = nil
    ) async throws(HubError) -> RegistrationPage {
        var query = filter.query + "&$top=\(min(max(top, 1), 100))"
        if let continuation { query += "&continuationtoken=\(Self.encoded(continuation))" }
        let answer: HubAnswer
        do throws(HubError) {
            answer = try await perform(filter.operation) { () throws(HubError) in
                client.request(.get, filter.path, query: query)
            }
        } catch {
            // According to the service's documentation, the response for a device without registrations is a 404.
            if error.code == .missing, case .channel = filter {
                return RegistrationPage(registrations: [], continuation: nil)
            }
            throw error
        }
        do throws(DeviceError) {
            let token = answer.response.headers["x-ms-continuationtoken"]
            return RegistrationPage(
                registrations: try RegistrationXML.readList(answer.response.body),
                continuation: token.flatMap { $0.isEmpty ? nil : $0 }
            )
        } catch {
            throw HubError(unreadable: filter.operation, error.asFaultOfAnswer, answer, at: hubURL)
        }
    }

    /// All registrations; pages are read on demand.
    ///
    /// Registrations written during the iteration may or may not be included.
    ///
    /// - Parameter filter: Selects the registrations.
    /// - Returns: A sequence that starts from the first page with each iteration and throws ``HubError``.
    public func allRegistrations(_ filter: RegistrationFilter = .all) -> RegistrationSequence {
        RegistrationSequence(client: self, filter: filter)
    }

    /// Encodes a continuation token, unless it is percent-encoded already, as the service issues it. So no token can add a
    /// parameter to the query.
    private static func encoded(_ continuation: String) -> String {
        let isEncoded = continuation.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "~"), UInt8(ascii: "%"):
                true
            default: false
            }
        }
        return isEncoded ? continuation : PercentEncoding.encode(continuation)
    }
}

extension RegistrationFilter {
    fileprivate var operation: HubClientOperation {
        switch self {
        case .all, .tag: .listRegistrations
        case .channel: .listRegistrationsOfChannel
        }
    }

    fileprivate var path: String {
        switch self {
        case .all, .channel: "registrations"
        case .tag(let tag): "tags/\(PercentEncoding.encode(tag.description))/registrations"
        }
    }

    /// The filter of one device. Uses the member names that .NET and Java send for every platform, except for the two platforms
    /// whose handle has several parts.
    fileprivate var query: String {
        guard case .channel(let channel) = self else { return "" }
        let parts: [(name: String, value: String)] =
            switch channel {
            case .baidu(let user, let channel): [("BaiduUserId", user), ("BaiduChannelId", channel)]
            case .browser(let endpoint, let p256dh, let auth):
                [("Endpoint", endpoint), ("P256DH", p256dh), ("Auth", auth)]
            // The hub stores it in upper case.
            case .apns(let token): [("ChannelUri", token.uppercased())]
            default: [("ChannelUri", channel.handle)]
            }
        let filter = parts.map { "\($0.name) eq '\($0.value.replacing("'", with: "''"))'" }.joined(separator: " and ")
        return "&$filter=" + PercentEncoding.encode(filter)
    }
}
