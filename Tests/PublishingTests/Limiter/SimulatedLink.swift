import NewsflashBasics
import NewsflashHTTPTransport
import NewsflashPublishing
import NewsflashTimestamps
import NotificationHubs
import Testing

/// A hub behind a link, and a worker with more news than it can send, on a simulated clock.
struct SimulatedLink {
    /// The hub's latency.
    enum Latency {
        case steady(Duration)
        /// A latency evenly distributed in the range.
        case jitter(ClosedRange<Duration>)
        /// A latency that doubles if more than `at` requests are in flight; a tenth of it is random.
        case knee(at: Int, Duration)

        func sample(inFlight: Int, _ random: inout SeededRandom) -> Duration {
            switch self {
            case .steady(let duration): duration
            case .jitter(let range):
                range.lowerBound
                    + (range.upperBound - range.lowerBound) * Double.random(in: 0...1, using: &random)
            case .knee(let most, let duration):
                duration * (inFlight > most ? 2 : 1) * Double.random(in: 0.95...1.05, using: &random)
            }
        }
    }

    /// The hub's rate limit.
    enum Allowance {
        case everything
        /// A number of requests in each second of its clock.
        case window(perSecond: Int, retryAfter: Duration?)
        /// A mean rate, and a number of requests at once.
        case bucket(perSecond: Double, burst: Double, retryAfter: Duration?)
        /// Any number of requests, but the hub refuses this share of them.
        case chance(Double, retryAfter: Duration?)
    }

    /// A fault and its time.
    enum Trouble {
        case none
        /// Answers 503 to all requests.
        case outage(Range<Duration>)
        /// Accepts all requests, and answers after the worker has given up.
        case brownOut(Range<Duration>)
    }

    var latency = Latency.steady(.milliseconds(20))
    var allowance = Allowance.everything
    var trouble = Trouble.none
    /// The time from which the hub allows five times as much.
    var raised: Duration?
    var limits = SendLimiter.Limits()
    /// The interval between flashes.
    var flashes: Duration?
    /// The time after which the worker gives up waiting for an answer.
    static let timeout = Duration.seconds(15)

    /// The result of a run.
    struct Result {
        /// The times at which requests were accepted, from the start.
        var accepted: [Duration] = []
        var refused: [Duration] = []
        var failed: [Duration] = []
        var probes: [Duration] = []
        /// The time at which each flash was produced, and its wait for acceptance.
        var flashes: [(at: Duration, wait: Duration)] = []
        /// The limiter's limit, each 100 ms.
        var limits: [(at: Duration, limit: Int)] = []
        /// The times at which the circuit was opened and closed.
        var opened: [Duration] = []
        var closed: [Duration] = []

        /// The rate of accepted requests per second in a range of time.
        func rate(_ times: KeyPath<Result, [Duration]> = \.accepted, in range: Range<Duration>) -> Double {
            Double(self[keyPath: times].count(where: range.contains))
                / ((range.upperBound - range.lowerBound) / .seconds(1))
        }
    }

    private struct Answer {
        var due: Duration
        var request: SendLimiter.Request?
        var reply: HubReply
        /// The time at which the answered flash was produced.
        var flash: Duration?
    }

    /// Runs the simulation for a time.
    func run(for length: Duration, seed: UInt64 = 1) -> Result {
        var governor = SendLimiter(limits: limits)
        var result = Result()
        var random = SeededRandom(seed: seed)
        let start = Moment(instant: .now, wall: Timestamp(seconds: 1_000_000))
        var answers = TimerQueue<Duration, Answer>()
        var waitingFlashes: [Duration] = []
        var nextFlash = flashes
        var time = Duration.zero
        var nextSample = Duration.zero
        var tokens = 0.0
        var refilledAt = Duration.zero
        var counted = (second: Int64(-1), count: 0)
        if case .bucket(_, let burst, _) = allowance { tokens = burst }

        /// The hub's reply to a request at a time, and its latency.
        func reply(at time: Duration) -> (HubReply, Duration) {
            let latency = latency.sample(inFlight: governor.inFlight, &random)
            switch trouble {
            case .outage(let range) where range.contains(time): return (.unavailable, latency)
            case .brownOut(let range) where range.contains(time): return (.late, Self.timeout)
            default: break
            }
            let share = raised.map { $0 <= time ? 5.0 : 1 } ?? 1
            switch allowance {
            case .everything: return (.accepted, latency)
            case .chance(let share, let pause):
                let isRefused = Double.random(in: 0..<1, using: &random) < share
                return (isRefused ? .throttled(after: pause) : .accepted, latency)
            case .window(let most, let pause):
                if counted.second != time.components.seconds { counted = (time.components.seconds, 0) }
                counted.count += 1
                return Double(counted.count) <= Double(most) * share
                    ? (.accepted, latency) : (.throttled(after: pause), latency)
            case .bucket(let perSecond, let burst, let pause):
                tokens = min(burst, tokens + (time - refilledAt) / .seconds(1) * perSecond * share)
                refilledAt = time
                guard tokens >= 1 else { return (.throttled(after: pause), latency) }
                tokens -= 1
                return (.accepted, latency)
            }
        }

        func moment() -> Moment { start + time }

        while time < length {
            while let answer = answers.popDue(at: time) {
                let change: SendLimiter.Change?
                if let request = answer.request {
                    change = governor.ended(answer.reply, of: request, now: moment())
                    switch answer.reply.verdict {
                    case .accepted:
                        result.accepted.append(time)
                        if let flash = answer.flash { result.flashes.append((flash, time - flash)) }
                    case .throttled:
                        result.refused.append(time)
                        if let flash = answer.flash { waitingFlashes.insert(flash, at: 0) }
                    default:
                        result.failed.append(time)
                        if let flash = answer.flash { waitingFlashes.insert(flash, at: 0) }
                    }
                } else {
                    change = governor.probeEnded(answer.reply, began: moment().instant, now: moment())
                }
                switch change {
                case .opened: result.opened.append(time)
                case .closed: result.closed.append(time)
                case .paused, nil: break
                }
            }
            if let due = nextFlash, due <= time {
                waitingFlashes.append(due)
                nextFlash = due + (flashes ?? .zero)
            }
            if nextSample <= time {
                result.limits.append((time, governor.concurrencyLimit))
                nextSample += .milliseconds(100)
            }
            let instant = moment().instant
            if let due = governor.probeDue, due <= instant {
                governor.probeBegan()
                let (reply, latency) = reply(at: time)
                result.probes.append(time)
                answers.set(Answer(due: time + latency, reply: reply), at: time + latency)
            }
            func send(in lane: Lane, flash: Duration?) {
                let request = SendLimiter.Request(lane: lane, began: instant)
                governor.began(in: lane, now: instant)
                let (reply, latency) = reply(at: time)
                let due = time + latency
                answers.set(Answer(due: due, request: request, reply: reply, flash: flash), at: due)
            }
            while !waitingFlashes.isEmpty, governor.opening(for: .express, now: instant) == .now {
                send(in: .express, flash: waitingFlashes.removeFirst())
            }
            let isFull = ends {
                guard governor.opening(for: .normal, now: instant) == .now else { return false }
                send(in: .normal, flash: nil)
                return true
            }
            guard isFull else { break }
            var next = min(length, nextSample, answers.nextDue ?? length, nextFlash ?? length)
            func atLatest(_ instant: Instant) { next = min(next, instant - start.instant) }
            if let probe = governor.probeDue { atLatest(probe) }
            if case .at(let instant) = governor.opening(for: .normal, now: instant) { atLatest(instant) }
            if !waitingFlashes.isEmpty, case .at(let instant) = governor.opening(for: .express, now: instant) {
                atLatest(instant)
            }
            time = max(time + .microseconds(1), next)
        }
        return result
    }
}

extension HubReply {
    /// The worker gave up waiting.
    static let late = HubClient.reply(
        to: .failure(HTTPTransportError(.timedOut, "late", mayHaveBeenReceived: true)),
        now: Timestamp(seconds: 0)
    )

    static func throttled(after pause: Duration?) -> HubReply {
        guard let pause else { return .throttledWithoutPause }
        return .throttled(after: pause)
    }
}
