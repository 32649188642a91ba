import HTTPTransport
import NotificationHubsCore
import StrictJSON
import Timestamps

extension NewsGateway {
    /// Fetches the text of a secure push, of which only a token came through the push service.
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
    ///   - id: The token, as it came with the push: its member `secureId`, or the property `id` of a template.
    ///   - languages: The reader's languages, the preferred first; none for the desk's own.
    /// - Returns: The text, or that there is none for this user.
    /// - Throws: ``SubscriptionError``; with ``SubscriptionError/isRetriable`` while the back end is still reading its texts, or
    ///   does not know yet whether the push was sent.
    public func secureText(
        id: String,
        languages: [NewsLanguage] = []
    ) async throws(SubscriptionError) -> SecureNotification {
        guard (1...256).contains(id.utf8.count), id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw SubscriptionError(.invalidValue, "a secure push has no such id: take it from the push as it came")
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
                    "the answer holds no text of a secure push: is the URL right?"
                )
            }
            return .found(text)
        case 404: return .notFound
        case 410: return .withdrawn
        default: throw error(for: response)
        }
    }
}

/// What became of the search for a secure push's text.
///
/// ```swift
/// if case .found(let text) = try await gateway.secureText(id: secureID) { show(text.headline) }
/// ```
public enum SecureNotification: Sendable, Equatable {
    /// The user may read it.
    case found(SecureText)
    /// The desk has withdrawn it: take the notification off the screen.
    case withdrawn
    /// The token has no text for this user, or its time is over.
    case notFound
}
