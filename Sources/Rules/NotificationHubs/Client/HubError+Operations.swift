// The sentences for the person on call: what failed, where, why, what to do.

extension HubError {
    /// A call that the hub, or the way to it, did not answer with yes.
    ///
    /// - Parameters:
    ///   - code: ``Code/notAccepted`` or ``Code/missing``.
    ///   - reply: The last answer.
    ///   - attempts: What came before.
    ///   - hubURL: Where.
    init(_ code: Code, _ reply: HubReply, _ attempts: HubAttempts, at hubURL: String) {
        let operation = attempts.operation
        let cause = code == .missing ? operation.absence : operation.cause(of: reply)
        var text = "\(operation.phrase) at \(hubURL) failed: \(cause); \(reply)"
        if attempts.failures > 1 { text += "; \(attempts.failures) attempts" }
        if attempts.mayHaveBeenAccepted, reply.verdict != .unknown { text += "; one of them may have been carried out" }
        self.init(
            code,
            text,
            reply: reply,
            operation: operation,
            attempts: attempts.failures,
            mayHaveBeenAccepted: attempts.mayHaveBeenAccepted
        )
    }

    /// A call whose task was cancelled.
    ///
    /// - Parameters:
    ///   - attempts: What came before.
    ///   - reply: The last answer; nothing where there was none.
    ///   - hubURL: Where.
    init(cancelled attempts: HubAttempts, last reply: HubReply?, at hubURL: String) {
        let state =
            attempts.mayHaveBeenAccepted
            ? "it may have been carried out or not" : "it was not carried out"
        self.init(
            .cancelled,
            "\(attempts.operation.phrase) at \(hubURL) was cancelled: \(state)",
            reply: reply,
            operation: attempts.operation,
            attempts: attempts.failures,
            mayHaveBeenAccepted: attempts.mayHaveBeenAccepted
        )
    }

    /// A call that was carried out, with an answer that cannot be read.
    ///
    /// - Parameters:
    ///   - operation: What was asked.
    ///   - fault: What is wrong with the answer, without its words.
    ///   - answer: What the hub said.
    ///   - hubURL: Where.
    init(unreadable operation: HubClientOperation, _ fault: String, _ answer: HubAnswer, at hubURL: String) {
        self.init(
            .unreadableAnswer,
            "\(operation.phrase) at \(hubURL) was answered in an unknown form: \(fault); is it a hub that answers there? "
                + "\(answer.reply)",
            reply: answer.reply,
            operation: operation,
            attempts: answer.attempts
        )
    }
}

extension HubClientOperation {
    /// What is being done, as a sentence begins.
    var phrase: String {
        switch self {
        case .send: "sending a message"
        case .testSend: "a test send"
        case .scheduleSend: "scheduling a message"
        case .cancelScheduledSend: "cancelling a scheduled message"
        case .telemetry: "asking for a message's telemetry"
        case .createRegistrationID: "asking for a registration id"
        case .createRegistration: "making a registration"
        case .upsertRegistration, .updateRegistration: "writing a registration"
        case .readRegistration: "reading a registration"
        case .deleteRegistration: "deleting a registration"
        case .listRegistrations: "listing registrations"
        case .listRegistrationsOfChannel: "listing a device's registrations"
        case .readInstallation: "reading an installation"
        case .putInstallation: "writing an installation"
        case .patchInstallation: "changing an installation"
        case .deleteInstallation: "deleting an installation"
        }
    }

    /// That the thing is not there.
    var absence: String {
        switch self {
        case .cancelScheduledSend:
            "the hub has no such message waiting: its time may have come, or it was cancelled before"
        case .telemetry: "the hub does not know the message, or not yet"
        case .readInstallation, .putInstallation, .patchInstallation, .deleteInstallation:
            "there is no such installation: put it whole"
        default: "there is no such registration: make it anew"
        }
    }

    /// Why an answer was no, and what to do.
    func cause(of reply: HubReply) -> String {
        switch reply.verdict {
        case .accepted: "the answer could not be used"
        case .throttled: "the hub takes no more calls for now: wait, and send fewer at a time"
        case .refused: refusal(reply)
        case .unauthorized:
            reply.status == 407
                ? "the proxy wants credentials: see the transport's proxy"
                : "the hub does not take the token: check key, policy name and this machine's clock"
        case .forbidden:
            "the policy lacks the claim \(claim), or the tier lacks the operation, or its quota is used up"
        case .notFound: "no hub answers there: check the endpoint and the hub's name"
        case .gone: "the registration id is used up: ask for a new one and register with it"
        case .unavailable: trouble(reply)
        case .notSent: "the request was not begun: time was over, or the transport is shut down"
        case .unknown: "the connection ended before the answer: what was asked may have been done or not"
        }
    }

    private func refusal(_ reply: HubReply) -> String {
        if reply.status == nil { return "the request cannot be sent: check the endpoint" }
        return switch self {
        case .send, .testSend, .scheduleSend: "the hub refuses this message, and will refuse it again: change it"
        case .createRegistration, .upsertRegistration, .updateRegistration:
            "the hub refuses this registration: change it"
        case .putInstallation, .patchInstallation: "the hub refuses this installation: change it"
        default: "the hub refuses what was asked: check the id"
        }
    }

    private func trouble(_ reply: HubReply) -> String {
        switch reply.status {
        case 409: "it conflicts with another write to the same: wait before the next one"
        case 412: "someone wrote it since it was read: read it again and decide anew"
        case nil: "there is no way to the hub: check network, name and proxy"
        default: "the hub, or something before it, is out of order: it may work later"
        }
    }
}
