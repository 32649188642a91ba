import CommandLineArguments
import StrictJSON

/// One thing that `newsflash check` looked at, and what it found.
struct CheckFact: Sendable, Equatable {
    /// What was looked at.
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

    /// How it stands.
    enum Status: Sendable, Equatable {
        case ok
        /// Works, and could be better.
        case advice
        /// Keeps a worker from its work.
        case problem(Fault)

        /// For people and machines.
        var word: String {
            switch self {
            case .ok: "ok"
            case .advice: "advice"
            case .problem: "problem"
            }
        }
    }

    /// What kind of problem it is, by which the exit code goes.
    enum Fault: Sendable, Equatable {
        /// A service could not be reached: it may be there later.
        case unreachable
        /// A service was reached, and says no.
        case refused
        /// The configuration, or a file that it names, cannot be used.
        case configuration
    }

    /// What was found, as a short label for machines: faults that want other remedies have other labels.
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
    /// The broker, the topic or the hub; empty where the area says it all.
    var subject: String
    var status: Status
    var code: Code
    /// What is so, and behind a colon what to do.
    var message: String

    /// Something that is as it should be.
    static func ok(_ area: Area, _ subject: String, _ message: String) -> CheckFact {
        CheckFact(area: area, subject: subject, status: .ok, code: .fine, message: message)
    }

    /// Something that could be better.
    static func advice(_ area: Area, _ subject: String, _ code: Code, _ message: String) -> CheckFact {
        CheckFact(area: area, subject: subject, status: .advice, code: code, message: message)
    }

    /// Something that must be mended.
    static func problem(
        _ fault: Fault,
        _ area: Area,
        _ subject: String,
        _ code: Code,
        _ message: String
    ) -> CheckFact {
        CheckFact(area: area, subject: subject, status: .problem(fault), code: code, message: message)
    }

    /// The fact on one line.
    ///
    /// - Parameter style: How the status is shown.
    /// - Returns: For people.
    func line(_ style: TerminalStyle) -> String {
        let padding = String(repeating: " ", count: max(1, 9 - status.word.count))
        let place = subject.isEmpty ? area.rawValue : "\(area.rawValue) \(subject)"
        return style.status(status.word, status.tone) + padding + place + ": " + message
    }

    /// The fact as a JSON object.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("area", area.rawValue)
        if !subject.isEmpty { writer.member("subject", subject) }
        writer.member("status", status.word)
        writer.member("code", code.rawValue)
        writer.member("message", message)
        writer.endObject()
        return writer.bytes
    }
}

extension CheckFact.Status {
    /// How the word is coloured.
    var tone: TerminalStyle.Tone {
        switch self {
        case .ok: .good
        case .advice: .caution
        case .problem: .bad
        }
    }
}

extension [CheckFact] {
    /// What a script should know first: 78 where the configuration must be mended, else 69 where something could not be
    /// reached, else 1 where anything is wrong.
    var exitCode: ExitCode {
        let faults = compactMap { fact in
            if case .problem(let fault) = fact.status { fault } else { nil }
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
