import StrictJSON
import Timestamps

/// Moves the times of events, so that samples of another day are news again; the distances between them stay.
struct TimeShift: Sendable, Equatable {
    /// How far later, to the millisecond.
    let distance: Duration

    /// Measures how far to move.
    ///
    /// - Parameters:
    ///   - first: When the first event was published.
    ///   - now: When it is to have been.
    init(from first: Timestamp, to now: Timestamp) {
        distance = .milliseconds(now.milliseconds - first.milliseconds)
    }

    /// Moves one event.
    ///
    /// - Parameter document: An event; what is not a time of it stays as it is, numbers as they are spelled.
    /// - Returns: The event with `published`, `embargo` and `expires` moved.
    func moved(_ document: JSONValue) -> JSONValue {
        guard case .object(let members) = document else { return document }
        return .object(
            members.map { member in
                guard Self.times.contains(member.name), let text = member.value.string,
                    let instant = Timestamp(rfc3339: text)
                else { return member }
                return JSONMember(name: member.name, value: .string((instant + distance).rfc3339))
            }
        )
    }

    private static let times: Set<String> = ["published", "embargo", "expires"]
}
