package import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTimestamps
package import NewsflashWorker

/// The answer of one worker to an order to reload.
package struct ReloadAnswer: Sendable {
    package enum Kind: String, Sendable {
        /// The rules of the file are in force.
        case inForce = "in_force"
        /// Rules are in force that differ from those of the file here.
        case otherRules = "other_rules"
        /// The reload succeeded, and the rules cannot be compared, because those of the file here are not known.
        case notCompared = "not_compared"
        /// The earlier rules stay in force.
        case rejected
        /// Its port answers, and has no result of the order.
        case pending
        /// Its port does not answer.
        case noAnswer = "no_answer"
    }

    package let address: String
    package let kind: Kind
    /// The rules in force; `nil` if they are not known.
    package let rules: StatusDocument.Rules?
    /// The reason, and what to do.
    package let detail: String

    /// The answer for people, without a line end.
    package var line: String {
        let state =
            switch kind {
            case .inForce: "in force"
            case .otherRules: "OTHER RULES"
            case .notCompared: "NOT COMPARED"
            case .rejected: "REJECTED"
            case .pending: "NO RESULT"
            case .noAnswer: "NO ANSWER"
            }
        let digest = rules.map { ", digest \($0.digest) since \($0.since)" } ?? ""
        return "\(address): \(state)\(digest)\(detail.isEmpty ? "" : ": \(detail)")"
    }

    /// The answer as a JSON object.
    package var json: [UInt8] {
        JSONWriter.object { writer in
            writer.member("admin", address)
            writer.member("answer", kind.rawValue)
            writer.member("digest", rules?.digest)
            writer.member("since", rules?.since)
            writer.member("detail", detail)
        }
    }
}

/// Waits until workers have obeyed an order to reload, and compares their rules with those of a file.
package struct ReloadWait: Sendable {
    private let ports: [AdminPort]
    /// The digest of the rules in the file; `nil` if it is not known.
    private let digest: String?
    /// The states before the order.
    private let before: [WorkerSnapshot]

    private static let interval = Duration.milliseconds(200)

    /// Queries the workers before the order is given.
    ///
    /// - Parameters:
    ///   - ports: The admin ports of the workers.
    ///   - digest: The digest of the rules in the file; `nil` if it is not known.
    /// - Throws: ``OperationError`` if the transport cannot be started.
    package init(_ ports: [AdminPort], digest: String?) async throws(OperationError) {
        self.init(ports, digest: digest, before: try await WorkerSnapshot.all(at: ports))
    }

    init(_ ports: [AdminPort], digest: String?, before: [WorkerSnapshot]) {
        self.ports = ports
        self.digest = digest
        self.before = before
    }

    /// Queries the workers until each has a result, or the time is over.
    ///
    /// - Parameters:
    ///   - order: The order that was given.
    ///   - limit: The maximum time.
    ///   - show: Called with each answer as soon as it is final.
    /// - Returns: Whether the rules of the file are surely in force at each worker.
    /// - Throws: ``OperationError`` if the transport cannot be started.
    package func run(
        _ order: ReloadOrder,
        within limit: Duration,
        show: (ReloadAnswer) -> Void
    ) async throws(OperationError) -> Bool {
        let end = ContinuousClock.now + limit
        var open = Array(ports.indices)
        var isDone = true
        while !open.isEmpty {
            let isLast = ContinuousClock.now >= end
            let looks = try await WorkerSnapshot.all(at: open.map { ports[$0] })
            var left: [Int] = []
            for (place, look) in zip(open, looks) {
                let answer = answer(of: look, before: before[place], to: order)
                if !isLast, [.pending, .noAnswer].contains(answer.kind) {
                    left.append(place)
                } else {
                    isDone = isDone && answer.kind == .inForce
                    show(answer)
                }
            }
            open = left
            if !open.isEmpty, (try? await Task.sleep(for: Self.interval)) == nil { return false }
        }
        return isDone
    }

    /// The answer of a worker at this moment.
    func answer(of look: WorkerSnapshot, before: WorkerSnapshot, to order: ReloadOrder) -> ReloadAnswer {
        let address = look.address
        let status: StatusDocument
        switch look.answer {
        case .failure(let silence):
            return ReloadAnswer(address: address, kind: .noAnswer, rules: nil, detail: silence.why)
        case .success(let facts): status = facts.status
        }
        var earlier: StatusDocument?
        if case .success(let facts) = before.answer { earlier = facts.status }
        guard let rules = status.rules else {
            let detail = "its /status has no 'rules'"
            return ReloadAnswer(address: address, kind: .pending, rules: nil, detail: detail)
        }
        func answer(_ kind: ReloadAnswer.Kind, _ detail: String) -> ReloadAnswer {
            ReloadAnswer(address: address, kind: kind, rules: rules, detail: detail)
        }
        var detail = "it has started since, and read the file"
        // A worker that starts reads the present configuration.
        let hasStarted = earlier.map { $0.startedAt != status.startedAt } ?? ((status.startedAt ?? order.at) > order.at)
        if let result = rules.lastReload, isResult(result, of: order, earlier) {
            let problems = result.problems.isEmpty ? "" : "; \(result.problems.joined(separator: "; "))"
            guard result.isInForce else { return answer(.rejected, "\(result.result): \(result.detail)\(problems)") }
            detail = "\(result.result): \(result.detail)"
        } else if !hasStarted {
            return answer(.pending, "it has no result of this order yet: see its log, and whether it is in the group")
        }
        guard let digest else {
            return answer(
                .notCompared,
                "\(detail); its rules cannot be compared, because the file here was not read without problems: "
                    + "see 'newsflash lint'"
            )
        }
        guard digest != rules.digest else { return answer(.inForce, detail) }
        return answer(
            .otherRules,
            "the file here has digest \(digest): compare the files, and the variables NEWSFLASH_… of both machines"
        )
    }

    /// Whether the latest reload of a worker obeys an order, and not an earlier one of the same person for the same reason.
    private func isResult(
        _ result: StatusDocument.Rules.Reload,
        of order: ReloadOrder,
        _ earlier: StatusDocument?
    ) -> Bool {
        guard result.by == order.by, result.reason == order.reason else { return false }
        if let earlier { return earlier.rules?.lastReload?.at != result.at }
        return Timestamp(rfc3339: result.at).map { $0 >= order.at } ?? false
    }
}
