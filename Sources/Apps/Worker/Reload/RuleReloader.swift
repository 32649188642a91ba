import Dispatch
import Locks
import Publishing
import StructuredLog
import Timestamps

/// Reads the configuration again while the worker runs, tries its rules beside those in force, and puts them into force.
///
/// All of it happens on a queue of its own. The publishing thread hands over what its decisions were made of, and only while
/// there is a trial: planning twice delays no push.
final class RuleReloader: Sendable {
    /// Acts on the publishing thread.
    struct Outlets: Sendable {
        /// Puts rules into force for events to come.
        let adopt: @Sendable (RuleSet) -> Void
        /// Has decisions handed over, or no more.
        let sample: @Sendable (Bool) -> Void
    }

    /// So many decisions wait to be looked at; of more it is noted that they were not.
    private static let mostWaiting = 1024

    private let source: ConfigurationSource?
    private let outlets: Outlets
    private let logLevel: LogLevelSetter
    private let metrics: ReloadMetrics
    private let logger: Logger
    private let queue = DispatchQueue(label: "newsflash.reload", qos: .utility)
    /// Changed on the queue alone.
    private let state: Locked<ReloadState>
    private let waiting = Locked(0)
    private let isStopped = Locked(false)

    /// Makes a reloader of a worker that is about to start.
    ///
    /// - Parameters:
    ///   - source: Where its configuration comes from; `nil` where nothing can be read again.
    ///   - rules: In force at the start.
    ///   - secure: The key of secure events.
    ///   - outlets: Act on the publishing thread.
    ///   - logLevel: Hears of `log.level`.
    ///   - metrics: Count what becomes of it.
    ///   - logger: Tells people.
    init(
        _ source: ConfigurationSource?,
        rules: RuleSet,
        secure: SecureSettings,
        outlets: Outlets,
        logLevel: LogLevelSetter,
        metrics: ReloadMetrics,
        logger: Logger
    ) {
        self.source = source
        self.outlets = outlets
        self.logLevel = logLevel
        self.metrics = metrics
        self.logger = logger
        state = Locked(ReloadState(rules: rules, secure: secure, values: source?.values ?? [], now: .now()))
    }

    // MARK: For other threads

    /// Reads the configuration again, soon.
    ///
    /// - Parameter request: Who asks for it.
    func reload(_ request: ReloadRequest) {
        queue.async { [self] in
            guard let source else {
                return logger.warning(
                    "a configuration is asked for that this worker cannot read again",
                    metadata: ["by": .string(request.by), LogKey.remedy: .string("restart it")]
                )
            }
            let read: Result<ReadConfiguration, ConfigurationError>
            do throws(ConfigurationError) {
                read = .success(try source.read())
            } catch {
                read = .failure(error)
            }
            change { $0.take(read, for: request, now: .now()) }
        }
    }

    /// Takes what decisions were made of; on the publishing thread.
    func take(_ samples: [DecisionSample]) {
        guard !samples.isEmpty else { return }
        let hasRoom = waiting.withLock { waiting in
            guard waiting + samples.count <= Self.mostWaiting else { return false }
            waiting += samples.count
            return true
        }
        queue.async { [self] in
            if hasRoom {
                waiting.withLock { $0 -= samples.count }
                metrics.noting(state.withLock { $0.canary?.tally }) {
                    change { $0.compare(samples, now: .now()) }
                    return state.withLock { ($0.canary?.tally ?? $0.last?.tally) }
                }
            } else {
                change { state in
                    state.skip(samples.count)
                    return []
                }
            }
        }
    }

    /// Ends what is under way; nothing is put into force any more.
    func stop() {
        isStopped.withLock { $0 = true }
    }

    /// What the person on call should know of the last try.
    var note: String? { state.withLock { $0.last?.note } }

    /// Digest of the rules in force.
    var digest: String { state.withLock { $0.rules.digest } }

    /// The member `rules` of the status.
    var json: [UInt8] { state.withLock { $0 }.json }

    // MARK: On the queue

    private func change(_ change: (inout ReloadState) -> [ReloadState.Action]) {
        guard !isStopped.withLock({ $0 }) else { return }
        // A copy, so that health is not kept waiting while plans are made.
        var next = state.withLock { $0 }
        let actions = change(&next)
        state.withLock { $0 = next }
        for action in actions { perform(action) }
        metrics.isCanaryRunning(next.canary != nil)
    }

    private func perform(_ action: ReloadState.Action) {
        switch action {
        case .sample(let isOn): outlets.sample(isOn)
        case .adopt(let rules): outlets.adopt(rules)
        case .logLevel(let level): logLevel.configure(level)
        case .wait(let id, let duration):
            queue.asyncAfter(deadline: .now() + .milliseconds(Int(duration.components.seconds * 1000))) { [weak self] in
                self?.change { $0.timeIsUp(id, now: .now()) }
            }
        case .began(let canary): tellOfBeginning(canary)
        case .ended(let result): tellOfEnd(result)
        }
    }

    private func tellOfBeginning(_ canary: Canary) {
        logger.notice(
            "new rules are tried beside those in force",
            metadata: [
                "config": .string(canary.rules.digest), "by": .string(canary.request.by),
                LogKey.reason: .string(canary.request.reason), LogKey.due: .string(canary.end.rfc3339),
                "events": LogValue(canary.tally.terms.events), "changed": .string(canary.changes.places),
            ]
        )
    }

    private func tellOfEnd(_ result: ReloadResult) {
        metrics.ended(result.kind)
        var metadata: LogMetadata = [
            "by": .string(result.by), LogKey.reason: .string(result.reason), LogKey.detail: .string(result.detail),
            LogKey.outcome: .string(result.kind.rawValue),
        ]
        if let digest = result.digest { metadata["config"] = .string(digest) }
        switch result.kind {
        case .promoted:
            logger.notice("the configuration that was read is in force", metadata: metadata)
        case .unchanged, .replaced:
            logger.notice("the configuration that was read is not put into force", metadata: metadata)
        case .dropped, .refused, .needsRestart:
            if !result.problems.isEmpty { metadata["problems"] = .string(result.problems.joined(separator: "; ")) }
            metadata[LogKey.remedy] = .string(result.kind.remedy)
            logger.error("the configuration that was read is not taken; the old one goes on", metadata: metadata)
        }
    }
}

extension ReloadResult.Kind {
    /// What to do where the old rules go on though others were asked for.
    fileprivate var remedy: String {
        switch self {
        case .promoted, .unchanged, .replaced: ""
        case .dropped:
            "look at the events with 'newsflash replay'; where they are meant to differ, announce it: "
                + "'newsflash reload --announce …' or reload.announce"
        case .refused: "mend the file ('newsflash lint' names each line) and ask again"
        case .needsRestart: "take these keys back and ask again, or restart the worker"
        }
    }
}
