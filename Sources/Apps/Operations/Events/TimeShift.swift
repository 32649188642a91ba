import NewsflashStrictJSON
import NewsflashTimestamps

/// Moves the times of old sample events into the present. The distances between them stay.
struct TimeShift: Sendable, Equatable {
    /// How far the times move, in whole milliseconds.
    let distance: Duration

    /// Computes the distance.
    ///
    /// - Parameters:
    ///   - first: The publication time of the first event.
    ///   - now: Its new publication time.
    init(from first: Timestamp, to now: Timestamp) {
        distance = .milliseconds(now.milliseconds - first.milliseconds)
    }

    /// Moves one event.
    ///
    /// - Parameter document: An event. Everything except the times stays unchanged, numbers also in their spelling.
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
