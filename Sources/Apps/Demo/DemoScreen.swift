import NewsflashBasics
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions
import NewsflashWorker

/// Prints a line for each event, and lets the script wait for it.
final class DemoScreen: WorkerObserver, KafkaProducerDelegate {
    private struct State {
        var scenes: [String: DemoScene] = [:]
        var ended = 0
        var surprises = 0
        var taken = 0
        var waiting: CheckedContinuation<Void, Never>?
        var categories: Set<String> = []
    }

    private let state = Locked(State())
    private let hub: HubEmulator
    private let phones: [SimulatedPhone]
    private let write: @Sendable (String) -> Void

    init(hub: HubEmulator, phones: [SimulatedPhone], write: @escaping @Sendable (String) -> Void) {
        self.hub = hub
        self.phones = phones
        self.write = write
    }

    /// The phones in words, such as `the phones of Grace (en), Amélie (fr) and ليلى (ar)`.
    var phonesInWords: String {
        guard !phones.isEmpty else { return "no phone is registered yet" }
        let owners = phones.map { "\($0.name) (\($0.language))" }
        return phones.count == 1
            ? "the phone of \(owners[0])"
            : "the phones of \(owners.dropLast().joined(separator: ", ")) and \(owners.last ?? "")"
    }

    func print(_ text: String) {
        write(text)
    }

    /// Registers the scene of an event that will end.
    func expect(_ scene: DemoScene, event: String) {
        state.withLock { $0.scenes[event] = scene }
    }

    /// Waits until another event has ended.
    func nextEnd() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.ended > state.taken || Task.isCancelled {
                        state.taken += 1
                        return true
                    }
                    state.waiting = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            wake()
        }
    }

    private func wake() {
        let waiting = state.withLock { state in
            if state.waiting != nil { state.taken += 1 }
            return state.waiting.take()
        }
        waiting?.resume()
    }

    func received(_ report: PublishingReport) {
        guard case .ended(let outcome) = report else { return }
        let scene = state.withLock { state -> DemoScene? in
            let scene = state.scenes[outcome.event]
            state.ended += 1
            if scene?.expected != outcome.verdict.outcome { state.surprises += 1 }
            if outcome.verdict.outcome == .sent { state.categories.formUnion(outcome.targets.map(\.request.tags)) }
            return scene
        }
        print(Self.line(outcome, scene) + arrivals(of: outcome))
        hub.report(NewsOutcome(outcome))
        wake()
    }

    func kafkaProducer(_ producer: KafkaProducer, didDeliver reports: [KafkaDeliveryReport]) {
        for report in reports {
            guard case .failure(let error) = report.result else { continue }
            print("the demo could not publish an event: \(error)")
        }
    }

    func isAsExpected(_ count: Int) -> Bool {
        state.withLock { $0.ended == count && $0.surprises == 0 }
    }

    func summarize() {
        let (count, categories) = state.withLock { ($0.ended, $0.categories.sorted()) }
        print(
            """

            \(count) events ended. The hub accepted \(hub.stats.accepted) sends, for the tags \(categories.joined(separator: ", ")).
            """
        )
    }

    /// Returns the phones at which the event arrived, in words.
    private func arrivals(of outcome: OutcomeRecord) -> String {
        let ids = Set(outcome.targets.compactMap(\.report.notificationID))
        guard !ids.isEmpty, !phones.isEmpty else { return "" }
        hub.settle()
        let arrived = hub.deliveries(ofNotifications: ids).compactMap { delivery in
            phones.first { $0.id == delivery.installationID }?.name
        }
        return arrived.isEmpty ? ", on no phone" : ", on the phones of " + arrived.joined(separator: ", ")
    }

    /// Returns a line such as `sent       flash      Earthquake off Port Sereno     [5]@0  tag World, 685 bytes: 201 after
    /// 4 ms`.
    private static func line(_ outcome: OutcomeRecord, _ scene: DemoScene?) -> String {
        let columns = [
            outcome.verdict.outcome.rawValue.padded(11),
            (outcome.kind.isEmpty ? "-" : outcome.kind).padded(11),
            (scene?.title ?? outcome.event).padded(54),
            "[\(outcome.origin.partition.partition)]@\(outcome.origin.offset)".padded(7),
        ]
        return columns.joined() + result(outcome)
    }

    private static func result(_ outcome: OutcomeRecord) -> String {
        guard let target = outcome.targets.first, let consumed = outcome.timing.consumed,
            let accepted = outcome.timing.lastAccept
        else {
            let words = [outcome.verdict.isDeadLetter ? "to the dead letters:" : nil, outcome.verdict.reason]
            let detail = outcome.verdict.detail.map { "(\($0))" }
            return (words + [detail]).compactMap(\.self).joined(separator: " ")
        }
        let latency = Int((accepted - consumed).rounded(.up))
        let request = target.request
        return "tag \(request.tags), \(request.bytes ?? 0) bytes: \(target.report.httpStatus ?? 0) after \(latency) ms"
    }
}

extension String {
    fileprivate func padded(_ width: Int) -> String {
        count < width ? self + String(repeating: " ", count: width - count) : self
    }
}

extension NewsOutcome {
    fileprivate init(_ record: OutcomeRecord) {
        self.init(
            event: record.event,
            story: record.story,
            revision: record.revision,
            kind: record.kind,
            outcome: record.verdict.outcome.rawValue,
            reason: record.verdict.reason,
            at: record.at.rfc3339
        )
    }
}
