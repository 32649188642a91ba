/// Failures of connections to brokers that were recently reported.
///
/// A worker has five or more Kafka clients. Each of them detects a dead broker, and librdkafka reports it as a log line and as
/// an event, then reports that all brokers are down. A cause is a broker and its fault. It is logged once per ``window``, with
/// the number of suppressed reports.
struct BrokerFailures: Sendable {
    /// A fault of a broker.
    struct Cause: Hashable, Sendable {
        /// `host:port`; empty for all brokers.
        let broker: String
        /// A text such as `Connect to ipv4#10.0.0.7:9092 failed: Connection refused`, without times and counts.
        let text: String
    }

    /// The decision on a report.
    enum Decision: Equatable {
        /// Log it, with the number of suppressed reports of the same cause.
        case log(repeats: Int)
        case drop
    }

    private struct Report {
        var logged: ContinuousClock.Instant
        var latest: ContinuousClock.Instant
        var repeats = 0
    }

    /// The period with at most one line per cause. librdkafka repeats a lasting failure twice a minute.
    static let window = Duration.seconds(30)

    private var reports: [Cause: Report] = [:]

    /// Decides on a report of a client.
    ///
    /// - Parameters:
    ///   - text: A line of librdkafka, or the description of an error.
    ///   - meansAllDown: Whether it reports that no broker is left, which does not add a cause.
    ///   - now: The current time.
    /// - Returns: Whether to log it.
    mutating func decide(_ text: String, meansAllDown: Bool, at now: ContinuousClock.Instant) -> Decision {
        if meansAllDown, reports.contains(where: { !$0.key.broker.isEmpty && now - $0.value.logged < Self.window }) {
            return .drop
        }
        guard let cause = meansAllDown ? Cause(broker: "", text: "") : Cause(text) else { return .log(repeats: 0) }
        guard var report = reports[cause] else {
            reports[cause] = Report(logged: now, latest: now)
            return .log(repeats: 0)
        }
        defer { reports[cause] = report }
        report.latest = now
        guard now - report.logged >= Self.window else {
            report.repeats += 1
            return .drop
        }
        defer { (report.logged, report.repeats) = (now, 0) }
        return .log(repeats: report.repeats)
    }

    /// Forgets causes that have not been reported for a ``window``.
    ///
    /// - Returns: The number of suppressed reports of each, if not zero.
    mutating func removeExpired(at now: ContinuousClock.Instant) -> [(cause: Cause, repeats: Int)] {
        let over = reports.filter { now - $0.value.latest >= Self.window }
        for cause in over.keys { reports[cause] = nil }
        return over.filter { $0.value.repeats > 0 }.map { ($0.key, $0.value.repeats) }.sorted {
            $0.cause.broker < $1.cause.broker
        }
    }
}

extension BrokerFailures.Cause {
    /// Finds the cause in a report, such as `…: 10.0.0.7:9092/1: Disconnected (after 7ms in state UP)`.
    ///
    /// - Returns: `nil` if it is not about one broker.
    init?(_ report: String) {
        let words = report.split(separator: " ", omittingEmptySubsequences: false)
        guard let index = words.firstIndex(where: { Self.broker($0) != nil }), var broker = Self.broker(words[index])
        else {
            return nil
        }
        var rest = words[(index + 1)...]
        // The coordinator connection's own name precedes the broker's name.
        if broker == Self.coordinator, let next = rest.first, next.last == ":", next.contains(where: \.isNumber) {
            broker = String(next.dropLast())
            rest = rest.dropFirst()
        }
        let text = rest.joined(separator: " ")
        self.init(broker: broker, text: text.firstRange(of: " (after ").map { String(text[..<$0.lowerBound]) } ?? text)
    }

    private static let coordinator = "GroupCoordinator"

    /// The address in the name of a broker: `sasl_ssl://10.0.0.7:9092/bootstrap:`.
    private static func broker(_ word: Substring) -> String? {
        guard word.last == ":" else { return nil }
        let name = word.dropLast()
        if name == coordinator { return coordinator }
        guard let slash = name.lastIndex(of: "/") else { return nil }
        let id = name[name.index(after: slash)...]
        guard id == "bootstrap" || (!id.isEmpty && id.allSatisfy(\.isNumber)) else { return nil }
        let address = name[..<slash]
        let start = address.firstRange(of: "://")?.upperBound ?? address.startIndex
        return address[start...].contains(":") ? String(address[start...]) : nil
    }
}
