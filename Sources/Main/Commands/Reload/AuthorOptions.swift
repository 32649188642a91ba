import CommandLineArguments
import FoundationEssentials
import Publishing
import Worker

/// The author of an order and its reason.
///
/// The reason is optional, because the order may be an emergency.
struct AuthorOptions: ParsableArguments {
    @Option(help: "The reason, for people who look later. No text of the news, because it is logged.")
    var reason: String?

    @Option(help: "The author of the order; without it, the user of this system (USER).")
    var by: String?

    func validate() throws {
        guard (1...ControlOrderCodec.longestReason).contains((reason ?? "x").utf8.count) else {
            throw ValidationError("'--reason' takes 1 to \(ControlOrderCodec.longestReason) bytes.")
        }
        if let by, !(1...256).contains(by.utf8.count) { throw ValidationError("'--by' takes 1 to 256 bytes.") }
    }

    /// The name in the order. Workers cannot decode an empty name, or one of more than 256 bytes.
    var name: String {
        let user = ProcessInfo.processInfo.environment["USER"] ?? ""
        return by ?? (1...256 ~= user.utf8.count ? user : "someone")
    }

    /// The reason in the order.
    var why: String { reason ?? "no reason given" }
}
