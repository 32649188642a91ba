import NewsflashStrictJSON

/// One result of `newsflash check`.
package struct CheckFact: Sendable, Equatable {
    /// The subject area of a check.
    package enum Area: String, Sendable {
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
    package enum Status: Sendable, Equatable {
        case ok
        /// Works, but could be better.
        case advice
        /// Prevents a worker from working.
        case problem(ProblemKind)

        /// The word in text and JSON output.
        package var word: String {
            switch self {
            case .ok: "ok"
            case .advice: "advice"
            case .problem: "problem"
            }
        }
    }

    /// The kind of a problem, which determines the exit code.
    package enum ProblemKind: Sendable, Equatable {
        /// A service could not be reached; trying again later may help.
        case unreachable
        /// A service was reached and refused the request.
        case refused
        /// The configuration, or a file that it names, cannot be used.
        case configuration
    }

    /// A short label for programs. Faults with different remedies have different labels.
    package enum Code: String, Sendable {
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

    package var area: Area
    /// The broker, the topic or the hub; empty if the area is enough.
    package var subject: String
    /// More subjects with the same result.
    package var others: [String] = []
    package var status: Status
    package var code: Code
    /// The finding, and after a colon the remedy.
    package var message: String

    /// Returns a fact without a problem.
    package static func ok(_ area: Area, _ subject: String, _ message: String) -> CheckFact {
        CheckFact(area: area, subject: subject, status: .ok, code: .fine, message: message)
    }

    /// Returns a fact about something that could be better.
    package static func advice(_ area: Area, _ subject: String, _ code: Code, _ message: String) -> CheckFact {
        CheckFact(area: area, subject: subject, status: .advice, code: code, message: message)
    }

    /// Returns a fact about something that must be corrected.
    package static func problem(
        _ kind: ProblemKind,
        _ area: Area,
        _ subject: String,
        _ code: Code,
        _ message: String
    ) -> CheckFact {
        CheckFact(area: area, subject: subject, status: .problem(kind), code: code, message: message)
    }

    /// All subjects.
    package var subjects: [String] { [subject] + others }

    /// The fact as JSON, an object for each subject.
    package var json: [[UInt8]] {
        subjects.map { subject in
            JSONWriter.object { writer in
                writer.member("area", area.rawValue)
                if !subject.isEmpty { writer.member("subject", subject) }
                writer.member("status", status.word)
                writer.member("code", code.rawValue)
                writer.member("message", message)
            }
        }
    }
}

extension [CheckFact] {
    /// Adds a fact. If another subject has the same result, the subject is added to that fact.
    mutating func fold(_ fact: CheckFact) {
        let index = firstIndex { other in
            (other.area, other.code, other.message) == (fact.area, fact.code, fact.message)
                && other.status == fact.status
        }
        if let index { self[index].others.append(fact.subject) } else { append(fact) }
    }

    /// The most urgent problem: the configuration if it must be corrected, otherwise that something could not be reached,
    /// otherwise any problem.
    package var failure: OperationError.Kind? {
        let faults = compactMap { fact in
            if case .problem(let kind) = fact.status { kind } else { nil }
        }
        if faults.contains(.configuration) { return .badConfiguration }
        if faults.contains(.unreachable) { return .unavailable }
        return faults.isEmpty ? nil : .foundProblems
    }

    /// The last line.
    package var summary: String {
        let problems = count { $0.status.word == "problem" }
        let advice = count { $0.status == .advice }
        if problems == 0, advice == 0 { return "all is well: nothing was sent or written" }
        let words = problems == 0 ? "no problems" : counted(problems, "problem")
        return advice == 0 ? words : "\(words), \(advice == 1 ? "1 piece" : "\(advice) pieces") of advice"
    }
}
