import Timestamps

/// The lifetime of a registration after its last write: a setting of the hub, as an ISO 8601 duration.
///
/// Source: https://learn.microsoft.com/rest/api/notificationhubs/create-notification-hub
package struct RegistrationTimeToLive: Sendable, Equatable {
    /// The longest duration of .NET, which means no expiry. The default of a new hub.
    package static let never = RegistrationTimeToLive(text: "P10675199DT2H48M5.4775807S", life: nil)
    private static let shortest = Duration.seconds(86_400)

    /// The duration as written.
    let text: String
    /// `nil` for no expiry.
    private let life: Duration?

    private init(text: String, life: Duration?) {
        self.text = text
        self.life = life
    }

    /// Parses a duration of days, hours, minutes and seconds: `P90D`, `P1DT12H`.
    ///
    /// - Throws: 400 for an invalid duration, or one of less than a day.
    init(_ text: String) throws(HubFailure) {
        guard let seconds = Self.seconds(text) else {
            throw HubFailure(400, "The value of RegistrationTtl is no duration such as P90D.")
        }
        guard seconds < 1e11 else {
            self = Self(text: text, life: nil)
            return
        }
        let life = Duration.seconds(seconds)
        guard life >= Self.shortest else { throw HubFailure(400, "The value of RegistrationTtl is at least one day.") }
        self.init(text: text, life: life)
    }

    /// Returns the expiration of a registration that is written now; `nil` for no expiry.
    func end(from now: Timestamp) -> Timestamp? { life.map { now + $0 } }

    private static func seconds(_ text: String) -> Double? {
        guard text.first == "P", text.count > 1, text.last != "T" else { return nil }
        var units: [(Character, Double)] = [("D", 86_400), ("H", 3600), ("M", 60), ("S", 1)]
        var total = 0.0
        var digits = ""
        var isTime = false
        for character in text.dropFirst() {
            if character == "T", !isTime, digits.isEmpty {
                isTime = true
                units.removeAll { $0.0 == "D" }
            } else if character.isASCII, character.isNumber || character == "." {
                digits.append(character)
            } else {
                guard let index = units.firstIndex(where: { $0.0 == character }), isTime == (character != "D"),
                    let number = Double(digits)
                else { return nil }
                total += number * units[index].1
                units.removeFirst(index + 1)
                digits = ""
            }
        }
        return digits.isEmpty ? total : nil
    }
}
