import Basics
import CommandLineArguments
import Kafka
import NewsEvents
import Publishing
import StrictJSON
import Timestamps
import Worker

/// `newsflash dead-letters show`
struct DeadLettersShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one dead letter completely: headers, body, and what would happen to it now.",
        discussion: """
            This command shows the text of news, which may be under embargo: take care who can see the screen.

            What would happen now is computed with the current configuration, and nothing is sent. To test a correction, change
            a copy of the configuration and name it with --config.

            Exit codes: 0 success, 1 no such dead letter, 69 Kafka cannot be read, 78 bad configuration.

            Examples:
              newsflash dead-letters show 0@4711
              newsflash dead-letters show --event 8d1f0c52-flash
              newsflash dead-letters show 0@4711 --config corrected.yaml
            """
    )

    @OptionGroup var options: TopicOptions

    @OptionGroup var quarantine: QuarantineOption

    @Option(help: ArgumentHelp("The newest dead letter of an event, instead of a position.", valueName: "id"))
    var event: String?

    @Argument(help: ArgumentHelp("Its position, as shown by 'dead-letters list'.", valueName: "partition@offset"))
    var place: DeadLetterPosition?

    func validate() throws {
        guard (event == nil) != (place == nil) else {
            throw ValidationError("Give either a position, such as 0@4711, or an '--event'.")
        }
    }

    func run() async throws {
        let settings = try options.read()
        let book = DeadLetterReader(settings: settings, mostRedrives: quarantine.mostRedrives)
        let topic = settings.topics.deadLetters
        guard let found = try await find(in: book) else {
            let what = place.map { "at \($0)" } ?? "of event \(event ?? "")"
            throw CommandError(
                .foundProblems,
                "no dead letter \(what) of this group and its sources is in \(topic): see 'newsflash "
                    + "dead-letters list --all'"
            )
        }
        let bodies = try await LetterBodies.read([found.letter.place], settings)
        guard let body = bodies[found.letter.place] else {
            throw CommandError(.foundProblems, "\(found.letter.place) has just been deleted from \(topic)")
        }
        let sheet = DeadLetterDetails(found, body, topic: topic)
        StandardOutput.write(lines: sheet.lines + [""] + (try future(of: body)))
    }

    private func find(in book: DeadLetterReader) async throws(CommandError) -> AssessedDeadLetter? {
        if let place { return try await book.read(place) }
        let letters = try await book.read(DeadLetterCriteria(event: event), (nil, nil)).letters
        if letters.count > 1 {
            let others = letters.dropLast().map(\.letter.place.description).joined(separator: ", ")
            StandardError.write("note: the event has other dead letters: \(others)")
        }
        return letters.last
    }

    /// Returns what the worker would do with the record now.
    private func future(of body: DeadLetterBody) throws(CommandError) -> [String] {
        guard let configuration = try options.readWorker() else {
            return ["what would happen now: unknown without a configuration; name one with --config"]
        }
        let forecast = RedriveForecast(of: body, by: configuration)
        return ["what would happen now, with this configuration:"] + forecast.lines.map { "  " + $0 }
    }
}

/// The text of `dead-letters show`, including the text of the news.
struct DeadLetterDetails {
    private let judged: AssessedDeadLetter
    private let body: DeadLetterBody
    private let topic: String

    init(_ judged: AssessedDeadLetter, _ body: DeadLetterBody, topic: String) {
        self.judged = judged
        self.body = body
        self.topic = topic
    }

    /// The lines of the text.
    var lines: [String] {
        let letter = judged.letter
        var lines = ["dead letter \(letter.place) of \(topic), \(state)"]
        lines.append("  \(letter.reason), found at \(letter.stage), \(letter.at.rfc3339)")
        if let detail = letter.detail { lines.append("  \(detail)") }
        lines.append("  \(letter.name), from \(letter.origin.partition) offset \(letter.origin.offset)")
        lines += ["", "headers"] + body.headers.map { "  \($0.name): \(Self.text($0.value))" }
        lines += ["", "key", "  \(Self.text(body.key))", "", "body"]
        if letter.isCut {
            lines.append(
                "  incomplete here, because it was too large for this topic: read the original, if it still exists"
            )
        }
        return lines + Self.lines(of: body.value).map { "  " + $0 }
    }

    private var state: String {
        switch judged.state {
        case .open:
            judged.letter.redrives == 0 ? "open" : "open, redriven \(counted(judged.letter.redrives, "time")) before"
        case .quarantined: "quarantined after \(counted(judged.letter.redrives, "redrive"))"
        case .redriven(let copy): "redriven to \(copy.place): \(copy.verdict?.line ?? "no outcome yet")"
        case .sentSince(let at): "its event was sent since, at \(at.rfc3339)"
        }
    }

    private static func text(_ bytes: [UInt8]?) -> String {
        guard let bytes else { return "(null)" }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return "(\(bytes.count) bytes) \(hex(bytes[...]))"
        }
        return text
    }

    /// Returns a body as text: JSON indented, other text unchanged, and other bytes in hexadecimal.
    private static func lines(of value: [UInt8]?) -> [String] {
        guard let value else { return ["(null)"] }
        if let document = try? JSONReader.read(value) {
            return document.laidOut.split(separator: "\n").map(String.init)
        }
        guard let text = String(validating: value, as: UTF8.self) else {
            return stride(from: 0, to: value.count, by: 32).map { hex(value[$0..<min($0 + 32, value.count)]) }
        }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private static func hex(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
    }
}
