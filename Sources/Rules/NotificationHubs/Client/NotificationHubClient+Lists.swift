import HTTPTransport

/// Which registrations a list holds.
public enum RegistrationFilter: Sendable, Hashable {
    /// All of the hub. Needs the claim Manage.
    case all
    /// Those with a tag. Needs the claim Manage.
    case tag(Tag)
    /// Those of one device. Needs the claim Listen.
    case channel(PushChannel)
}

/// A part of a list of registrations.
public struct RegistrationPage: Sendable, Equatable {
    /// In the hub's order.
    public let registrations: [Registration]
    /// What to ask for the next page with; nothing on the last one.
    public let continuation: String?
}

// Lists of registrations. The installations are among them: each has a native registration and one for each template.
extension NotificationHubClient {
    /// Reads a page of registrations.
    ///
    /// - Parameters:
    ///   - filter: Which ones.
    ///   - top: The most on a page, from 1 to 100.
    ///   - continuation: ``RegistrationPage/continuation`` of the page before.
    /// - Returns: May be empty although another page follows.
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
            // By the service's pages a device without registrations is a 404.
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

    /// All registrations, page by page as they are needed.
    ///
    /// What is written meanwhile may be missed or seen.
    ///
    /// - Parameter filter: Which ones.
    /// - Returns: Begins anew with each iteration; throws ``HubError``.
    public func allRegistrations(_ filter: RegistrationFilter = .all) -> RegistrationSequence {
        RegistrationSequence(client: self, filter: filter)
    }

    /// The service gives its token out percent-encoded already. Anything else in it is encoded, so that nothing in a
    /// token can be a parameter of its own.
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

    /// With the names that .NET and Java write for every platform, and for the two whose handle has several parts the
    /// platform's own.
    fileprivate var query: String {
        guard case .channel(let channel) = self else { return "" }
        let parts: [(name: String, value: String)] =
            switch channel {
            case .baidu(let user, let channel): [("BaiduUserId", user), ("BaiduChannelId", channel)]
            case .browser(let endpoint, let p256dh, let auth):
                [("Endpoint", endpoint), ("P256DH", p256dh), ("Auth", auth)]
            // The hub keeps it in upper case.
            case .apns(let token): [("ChannelUri", token.uppercased())]
            default: [("ChannelUri", channel.handle)]
            }
        let filter = parts.map { "\($0.name) eq '\($0.value.replacing("'", with: "''"))'" }.joined(separator: " and ")
        return "&$filter=" + PercentEncoding.encode(filter)
    }
}
