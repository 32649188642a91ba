/// What a request said, as an outcome has it.
///
/// The digest is worked out where the outcome is written, and not by the thread that decides on events.
enum RequestContent: Sendable, Equatable {
    case planned(PlannedSend)
    /// The digest as an outcome that was read has it.
    case read(String)

    var digest: String {
        switch self {
        case .planned(let send): RequestDigest(of: send).text
        case .read(let digest): digest
        }
    }

    static func == (left: RequestContent, right: RequestContent) -> Bool {
        if case .planned(let left) = left, case .planned(let right) = right, left === right { return true }
        return left.digest == right.digest
    }
}
