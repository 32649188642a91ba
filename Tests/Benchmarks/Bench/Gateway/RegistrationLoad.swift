import NewsflashBasics
import NewsflashHTTPTransport

/// Registers devices like the tutorial's app: requests a registration ID, then puts the registration under it.
///
/// Each registration starts when it is due, regardless of earlier ones, so a slow gateway cannot slow down its own load.
final class RegistrationLoad: HTTPResultReceiver {
    private let url: String
    private let users: [String]
    private let transport: any HTTPTransport
    private let devices: Range<Int>
    private let rate: Int
    private let state = Locked(State())
    private let finished = Promise<Void>()

    private struct State {
        /// The due time of each registration in flight.
        var due: [Int: ContinuousClock.Instant] = [:]
        /// Latencies from the due time, in nanoseconds.
        var latencies: [Int64] = []
        var refusals: [String: Int] = [:]
        var over = 0
        var last = ContinuousClock.now
    }

    /// Creates a load.
    ///
    /// - Parameters:
    ///   - url: The URL of the gateway.
    ///   - users: The `Authorization` headers of the users, used in turn.
    ///   - transport: The transport for the requests.
    ///   - first: The number of the first device.
    ///   - count: The number of devices.
    ///   - rate: Registrations per second.
    init(url: String, users: [String], over transport: any HTTPTransport, first: Int, count: Int, rate: Int) {
        self.url = url
        self.users = users
        self.transport = transport
        self.devices = first..<first + count
        self.rate = rate
    }

    /// Registers all devices.
    ///
    /// - Returns: The latencies and refusals.
    /// - Throws: `CancellationError` if the task is cancelled.
    func run() async throws -> RegistrationFigures {
        let start = ContinuousClock.now
        var next = devices.lowerBound
        while next < devices.upperBound {
            // Start all registrations that are due by now, at most 1 ms late.
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

    /// Even exchange IDs are requests for a registration ID; the following odd ID is the registration itself.
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
        // The body is a JSON string of letters, digits and dashes.
        let id = String(decoding: id.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
        let body = #"{"Platform":"apns","Handle":"\#(handle(device))","Tags":["World","Sports"]}"#
        var headers = headers(device)
        headers.append("Content-Type", "application/json")
        return HTTPRequest(method: .put, url: "\(url)/api/register/\(id)", headers: headers, body: Array(body.utf8))
    }

    private func headers(_ device: Int) -> HTTPHeaders {
        HTTPHeaders([.init("Authorization", users[device % users.count])])
    }

    /// Returns a device token with the length of Apple's tokens, different for each device.
    private func handle(_ device: Int) -> String {
        let digits = String(
            UInt64(truncatingIfNeeded: device) &* 0x9E37_79B9_7F4A_7C15 | 1 << 63,
            radix: 16,
            uppercase: true
        )
        return String(repeating: digits, count: 4)
    }
}

/// The results of a registration load.
struct RegistrationFigures: Sendable, Equatable {
    var registered: Int
    /// Seconds from the first due time to the last registration.
    var seconds: Double
    /// The latency from the due time to the second response.
    var latency: LatencyFigures
    /// The number of failed registrations by status or error.
    var refusals: [String: Int]
}
