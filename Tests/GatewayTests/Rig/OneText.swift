import NewsflashBasics
import NewsflashGateway

/// One text for one user. In a file without the library for apps, which has types with the same names.
final class OneText: SecureNotifications {
    let answer = Locked<SecureNotification?>(nil)

    func notification(_ token: String, for reader: SecureReader, languages: [String]) async -> SecureNotification {
        if let answer = answer.withLock({ $0 }) { return answer }
        guard reader.name == "anna" else { return .notFound }
        return .found(
            SecureText(
                id: token,
                story: "s",
                kind: "alert",
                locale: "fr",
                headline: "headline for \(reader.name) in \(languages.joined())",
                published: "2026-03-02T08:21:00Z"
            )
        )
    }
}

/// A source without texts.
struct NoTexts: SecureNotifications {
    func notification(_ token: String, for reader: SecureReader, languages: [String]) async -> SecureNotification {
        .notFound
    }
}
