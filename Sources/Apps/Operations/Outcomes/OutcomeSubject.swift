/// The event or story whose outcomes are searched.
package enum OutcomeSubject: Sendable, CustomStringConvertible {
    case event(String)
    case story(String)

    package var description: String {
        switch self {
        case .event(let id): "event \(id)"
        case .story(let name): "story \(name)"
        }
    }
}
