import HTTPTransport
import NotificationHubsCore
import StrictJSON
import Timestamps

extension NewsGateway {
    /// Fetches the text of a secure push, because only a token passed through the push service.
    ///
    /// ```swift
    /// switch try await gateway.secureText(id: push.secureID, languages: [.portuguese, .english]) {
    /// case .found(let text): show(text.headline)
    /// case .withdrawn: remove(push)
    /// case .notFound: break
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: The token in the push: its member `secureId`, or the property `id` of a template.
    ///   - languages: The subscriber's languages, the preferred first; empty for the newsroom's own.
    /// - Returns: The text, or the reason why this user gets none.
    /// - Throws: ``SubscriptionError``. It is ``SubscriptionError/isRetriable`` while the back end is still reading its
    ///   texts, or cannot tell yet whether the push was sent.
    public func secureText(
        id: String,
        languages: [NewsLanguage] = []
    ) async throws(SubscriptionError) -> SecureNotification {
        guard (1...256).contains(id.utf8.count), id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw SubscriptionError(.invalidValue, "this is not the id of a secure push: use the id in the push")
        }
        let path = "/api/notifications/" + PercentEncoding.encode(id, uppercase: true)
        var request = HTTPRequest(method: .get, url: url + path)
        if !languages.isEmpty {
            request.headers.append("Accept-Language", languages.map(\.locale).joined(separator: ", "))
        }
        let response = try await send(request)
        switch response.status {
        case 200:
            guard let text = SecureText(json: response.body) else {
                throw SubscriptionError(
                    .unreadableAnswer,
                    "the response does not contain the text of a secure push: check the URL"
                )
            }
            return .found(text)
        case 404: return .notFound
        case 410: return .withdrawn
        default: throw error(for: response)
        }
    }
}

/// The result of fetching a secure push's text.
///
/// ```swift
/// if case .found(let text) = try await gateway.secureText(id: secureID) { show(text.headline) }
/// ```
public enum SecureNotification: Sendable, Equatable {
    /// The user may read it.
    case found(SecureText)
    /// The newsroom has withdrawn it: remove the notification from the screen.
    case withdrawn
    /// The token has no text for this user, or has expired.
    case notFound
}
