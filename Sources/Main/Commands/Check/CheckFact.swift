import CommandLineArguments
import StrictJSON

/// One result of `newsflash check`.
struct CheckFact: Sendable, Equatable {
    /// The subject area of a check.
    enum Area: String, Sendable {
        case configuration
        case kafka
        case topic
        case rights
        case ledger
        case hub
        case clock
        case gateway
    }

    /// The result of a check.
    enum Status: Sendable, Equatable {
        case ok
        /// Works, but could be better.
        case advice
        /// Prevents a worker from working.
        case problem(ProblemKind)

        /// The word in text and JSON output.
        var word: String {
            switch self {
            case .ok: "ok"
            case .advice: "advice"
            case .problem: "problem"
            }
        }
    }

    /// The kind of a problem, which determines the exit code.
    enum ProblemKind: Sendable, Equatable {
        /// A service could not be reached; trying again later may help.
        case unreachable
        /// A service was reached and refused the request.
        case refused
        /// The configuration, or a file that it names, cannot be used.
        case configuration
    }

    /// A short label for programs. Faults with different remedies have different labels.
    enum Code: String, Sendable {
        case fine
        case invalid
        case secretUnreadable = "secret_unreadable"
        case nameUnknown = "name_unknown"
        case portClosed = "port_closed"
        case noAnswer = "no_answer"
        case tlsFailed = "tls_failed"
        case wrongProtocol = "wrong_protocol"
        case signInRefused = "sign_in_refused"
        case topicUnfit = "topic_unfit"
        case topicMissing = "topic_missing"
        case rightMissing = "right_missing"
        case notTried = "not_tried"
        case ledgerDamaged = "ledger_damaged"
        case ledgerGroup = "ledger_group"
        case hubAddressChanged = "hub_address_changed"
        case keyRefused = "key_refused"
        case claimMissing = "claim_missing"
        case hubMissing = "hub_missing"
        case throttled
        case unavailable
        case clockSkew = "clock_skew"
    }

    var area: Area
    /// The broker, the topic or the hub; empty if the area is enough.
    var subject: String
    var status: Status
    var code: Code
    /// The finding, and after a colon the remedy.
    var message: String

    /// Returns a fact without a problem.
    static func ok(_ area: Area, _ subject: String, _ message: String) -> CheckFact {
        CheckFact(area: area, subject: subject, status: .ok, code: .fine, message: message)
    }

    /// Returns a fact about something that could be better.
    static func advice(_ area: Area, _ subject: String, _ code: Code, _ message: String) -> CheckFact {
        CheckFact(area: area, subject: subject, status: .advice, code: code, message: message)
    }

    /// Returns a fact about something that must be corrected.
    static func problem(
        _ kind: ProblemKind,
        _ area: Area,
        _ subject: String,
        _ code: Code,
        _ message: String
    ) -> CheckFact {
        CheckFact(area: area, subject: subject, status: .problem(kind), code: code, message: message)
    }

    /// Returns the fact as one line of text.
    ///
    /// - Returns: The line, without a line feed.
    func line(_ style: TerminalStyle) -> String {
        let padding = String(repeating: " ", count: max(1, 9 - status.word.count))
        let place = subject.isEmpty ? area.rawValue : "\(area.rawValue) \(subject)"
        return style.status(status.word, status.tone) + padding + place + ": " + message
    }

    /// The fact as a JSON object.
    var json: [UInt8] {
        JSONWriter.object { writer in
            writer.member("area", area.rawValue)
            if !subject.isEmpty { writer.member("subject", subject) }
            writer.member("status", status.word)
            writer.member("code", code.rawValue)
            writer.member("message", message)
        }
    }
}

extension CheckFact.Status {
    /// The colour of the word.
    var tone: TerminalStyle.Tone {
        switch self {
        case .ok: .good
        case .advice: .caution
        case .problem: .bad
        }
    }
}

extension [CheckFact] {
    /// The exit code of the most urgent problem: 78 if the configuration must be corrected, otherwise 69 if something could
    /// not be reached, otherwise 1 if there is any problem.
    var exitCode: ExitCode {
        let faults = compactMap { fact in
            if case .problem(let kind) = fact.status { kind } else { nil }
        }
        if faults.contains(.configuration) { return ExitCode(CommandError.Kind.badConfiguration.rawValue) }
        if faults.contains(.unreachable) { return ExitCode(CommandError.Kind.unavailable.rawValue) }
        return faults.isEmpty ? .success : .failure
    }

    /// The last line.
    var summary: String {
        let problems = count { $0.status.word == "problem" }
        let advice = count { $0.status == .advice }
        if problems == 0, advice == 0 { return "all is well: nothing was sent or written" }
        let words = problems == 0 ? "no problems" : counted(problems, "problem")
        return advice == 0 ? words : "\(words), \(advice == 1 ? "1 piece" : "\(advice) pieces") of advice"
    }
}
