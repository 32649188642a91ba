import HTTPTransport
import Locks

/// Registers devices as the tutorial's app does: asks for a registration id, then puts the registration under it.
///
/// Each begins when it is due, whatever became of those before: a gateway that falls behind cannot slow its own load down.
final class RegistrationLoad: HTTPResultReceiver {
    private let url: String
    private let users: [String]
    private let transport: any HTTPTransport
    private let devices: Range<Int>
    private let rate: Int
    private let state = Locked(State())
    private let finished = OneShot<Void>()

    private struct State {
        /// When each of those under way was due.
        var due: [Int: ContinuousClock.Instant] = [:]
        /// From when it was due, in nanoseconds.
        var latencies: [Int64] = []
        var refusals: [String: Int] = [:]
        var over = 0
        var last = ContinuousClock.now
    }

    /// Prepares a load.
    ///
    /// - Parameters:
    ///   - url: The gateway's.
    ///   - users: Their `Authorization`; they take turns.
    ///   - transport: Carries the requests.
    ///   - first: The number of the first device.
    ///   - count: How many devices.
    ///   - rate: How many a second.
    init(url: String, users: [String], over transport: any HTTPTransport, first: Int, count: Int, rate: Int) {
        self.url = url
        self.users = users
        self.transport = transport
        self.devices = first..<first + count
        self.rate = rate
    }

    /// Registers all.
    ///
    /// - Returns: How soon they were registered.
    /// - Throws: `CancellationError` where the task is cancelled.
    func run() async throws -> RegistrationFigures {
        let start = ContinuousClock.now
        var next = devices.lowerBound
        while next < devices.upperBound {
            // All that are due by now, at most a millisecond late.
            let passed = start.duration(to: .now)
            let due = min(devices.count, Int(passed.inMicroseconds * Double(rate) / 1e6) + 1) + devices.lowerBound
            if due > next {
                begin(next..<due, from: start)
                next = due
            }
            try await Task.sleep(for: .milliseconds(1))
        }
        _ = await finished.wait()
        try Task.checkCancellation()
        return state.withLock { state in
            let seconds = start.duration(to: state.last).inMicroseconds / 1e6
            return RegistrationFigures(
                registered: state.latencies.count,
                seconds: seconds,
                latency: LatencyFigures(of: state.latencies),
                refusals: state.refusals
            )
        }
    }

    private func begin(_ numbers: Range<Int>, from start: ContinuousClock.Instant) {
        state.withLock { state in
            for number in numbers {
                let position = number - devices.lowerBound
                state.due[number] = start + .microseconds(Int64(position) * 1_000_000 / Int64(rate))
            }
        }
        transport.start(
            numbers.map { HTTPExchange(id: UInt64($0) * 2, request: identifierRequest($0)) },
            receiver: self
        )
    }

    /// An even number is that of a request for an id, the odd one after it that of the registration.
    func receive(_ results: [HTTPExchangeResult]) {
        let now = ContinuousClock.now
        var next: [HTTPExchange] = []
        var (ends, refusals): ([Int], [(Int, String)]) = ([], [])
        for result in results {
            let device = Int(result.id / 2)
            switch result.result {
            case .success(let answer) where answer.status == 200 && result.id.isMultiple(of: 2):
                next.append(HTTPExchange(id: result.id + 1, request: registration(device, id: answer.body)))
            case .success(let answer) where answer.status == 200: ends.append(device)
            case .success(let answer): refusals.append((device, "status \(answer.status)"))
            case .failure(let error): refusals.append((device, error.code.rawValue))
            }
        }
        if !next.isEmpty { transport.start(next, receiver: self) }
        let over = state.withLock { state in
            for device in ends {
                guard let due = state.due.removeValue(forKey: device) else { continue }
                state.latencies.append(Int64(due.duration(to: now).inMicroseconds * 1000))
            }
            for (device, refusal) in refusals {
                state.due[device] = nil
                state.refusals[refusal, default: 0] += 1
            }
            state.over += ends.count + refusals.count
            state.last = now
            return state.over
        }
        if over == devices.count { finished.end(with: ()) }
    }

    private func identifierRequest(_ device: Int) -> HTTPRequest {
        HTTPRequest(
            method: .post,
            url: "\(url)/api/register?handle=\(handle(device))",
            headers: headers(device),
            body: []
        )
    }

    private func registration(_ device: Int, id: [UInt8]) -> HTTPRequest {
        // A JSON string of letters, digits and dashes.
        let id = String(decoding: id.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
        let body = #"{"Platform":"apns","Handle":"\#(handle(device))","Tags":["World","Sports"]}"#
        var headers = headers(device)
        headers.append("Content-Type", "application/json")
        return HTTPRequest(method: .put, url: "\(url)/api/register/\(id)", headers: headers, body: Array(body.utf8))
    }

    private func headers(_ device: Int) -> HTTPHeaders {
        HTTPHeaders([.init("Authorization", users[device % users.count])])
    }

    /// A device token of Apple's length, different for each.
    private func handle(_ device: Int) -> String {
        let digits = String(
            UInt64(truncatingIfNeeded: device) &* 0x9E37_79B9_7F4A_7C15 | 1 << 63,
            radix: 16,
            uppercase: true
        )
        return String(repeating: digits, count: 4)
    }
}

/// How soon devices were registered.
struct RegistrationFigures: Sendable, Equatable {
    var registered: Int
    /// From the first that was due to the last that was registered.
    var seconds: Double
    /// From when one was due to the answer to its second request.
    var latency: LatencyFigures
    /// What others were answered, and how many of them.
    var refusals: [String: Int]
}
