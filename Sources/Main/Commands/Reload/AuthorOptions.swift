import CommandLineArguments
import FoundationEssentials
import Publishing
import Worker

/// Who gives an order, and why.
struct AuthorOptions: ParsableArguments {
    @Option(help: "Why, for those who look later. No words of news: logs show it.")
    var reason: String

    @Option(help: "Who gives the order; left out, the user of this system.")
    var by: String?

    func validate() throws {
        guard (1...ControlOrderCodec.longestReason).contains(reason.utf8.count) else {
            throw ValidationError("'--reason' takes 1 to \(ControlOrderCodec.longestReason) bytes.")
        }
        if let by, !(1...256).contains(by.utf8.count) { throw ValidationError("'--by' takes 1 to 256 bytes.") }
    }

    /// Whom the order names.
    var name: String {
        let user = ProcessInfo.processInfo.environment["USER"] ?? ""
        return by ?? (user.isEmpty ? "someone" : user)
    }
}
