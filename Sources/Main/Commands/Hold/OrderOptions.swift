import CommandLineArguments
import FoundationEssentials
import Publishing
import Timestamps

/// Whom an order concerns, who gives it and why.
struct OrderOptions: ParsableArguments {
    @OptionGroup var topics: TopicOptions

    @Option(help: ArgumentHelp("The source, as its events name it.", valueName: "uri"))
    var source: String?

    @Flag(help: "All sources.")
    var all = false

    @Option(help: "Why, for those who look later. No words of news: logs show it.")
    var reason: String

    @Option(help: "Who gives the order; left out, the user of this system.")
    var by: String?

    @Flag(help: "The order as one JSON object, as it was written.")
    var json = false

    func validate() throws {
        guard all != (source != nil) else {
            throw ValidationError("Name one '--source', or say '--all'.")
        }
        guard (source ?? "x").utf8.count <= 256, !(source ?? "x").isEmpty else {
            throw ValidationError("'--source' takes 1 to 256 bytes, as events have them.")
        }
        guard reason.utf8.count <= ControlOrderCodec.longestReason, !reason.isEmpty else {
            throw ValidationError("'--reason' takes 1 to \(ControlOrderCodec.longestReason) bytes.")
        }
        if let by, !(1...256).contains(by.utf8.count) { throw ValidationError("'--by' takes 1 to 256 bytes.") }
    }

    private var scope: HoldScope { source.map(HoldScope.source) ?? .all }

    /// Writes an order and tells of it.
    ///
    /// - Parameter act: What is ordered.
    /// - Throws: ``CommandError`` where the topic is missing or the brokers do not confirm.
    func give(_ act: ControlRecord.Act) async throws {
        let settings = try topics.read()
        // Workers cannot read an order without a name, or with one of more than 256 bytes.
        let user = ProcessInfo.processInfo.environment["USER"] ?? ""
        let name = by ?? (1...256 ~= user.utf8.count ? user : "someone")
        let order = ControlRecord(act, scope, by: .person(name), reason: reason, at: .now())
        try await ControlTopic(settings).write(.source(order))
        if json { return StandardOutput.write(ControlOrderCodec.encode(.source(order))) }
        StandardOutput.write(order.line)
        if act == .hold {
            StandardOutput.write("workers act on it within a second; let it go with 'newsflash release'")
        }
    }
}
