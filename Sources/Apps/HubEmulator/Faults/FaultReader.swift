import NewsflashStrictJSON
import NotificationHubs

/// Parses faults from JSON: `{"status": 503, "for": "120s"}`, or an array of such objects.
///
/// A fault with the member `outcome` is a delivery fault, every other one a request fault. A duration is `250ms`, `120s`,
/// `2m`, `1h` or a number of seconds.
///
/// Effects of a request fault:
/// - `status` (200 to 599): the status of the response. `error` (`signature`, `expired`, `missing`, `malformed`, `audience`)
///   selects the text of a 401; `retryAfter` is a number of seconds or `{"date": seconds ahead}`; with `accepted`, the request
///   takes effect despite the error.
/// - `cut`: cuts the connection `before` the request takes effect, `after` it, or in the `middle` of the response. `true`
///   means `before`, or `after` together with `accepted`.
/// - `latency`: a duration, or `{"p50": "20ms", "p99": "400ms"}`; see ``FaultLatency/percentiles(p50:p99:)``. The delays of
///   all faults up to the first that refuses or cuts are added.
/// - `throttle` (requests per second): applies only to requests above the rate, by default with 429.
///
/// Conditions:
/// - `operations` (an array of `send`, `telemetry`, `registration`, `installation`, `job`, `hub`), `requests` (an array of
///   values such as `POST /newsroom/messages`: an optional method and the beginning of a path), `containing` (a text in the
///   body).
/// - `rate` (0 to 1), `count` (the number of times).
/// - `for` (the duration), `after` (the delay until it begins), `every` (the interval between two beginnings).
///
/// A delivery fault has `outcome` (one of ``DeliveryFault/outcomes``), `rate`, `platform` and `handle`.
package enum FaultReader {
    /// The reason why a text does not describe faults.
    package struct Problem: Error, Equatable, CustomStringConvertible {
        /// The message, with the name of the member.
        package let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    private static let mostFaults = 1000

    /// Parses faults.
    ///
    /// - Parameter bytes: An object, or an array of at most 1,000 objects; `[]` for no faults.
    /// - Returns: The faults, in the order of the text.
    /// - Throws: ``Problem`` for invalid JSON, an unknown member or a value out of range.
    package static func read(_ bytes: [UInt8]) throws(Problem) -> FaultSet {
        let value: JSONValue
        do {
            value = try JSONReader.read(bytes)
        } catch {
            throw Problem("the faults are not JSON: \(error)")
        }
        var faults = FaultSet()
        guard let elements = value.array else {
            try read(value, into: &faults)
            return faults
        }
        // Limited, because each request is checked against all of them.
        guard elements.count <= mostFaults else { throw Problem("more than \(mostFaults) faults") }
        for (index, element) in elements.enumerated() {
            do throws(Problem) {
                try read(element, into: &faults)
            } catch {
                throw Problem("fault number \(index + 1): \(error)")
            }
        }
        return faults
    }

    private static func read(_ value: JSONValue, into faults: inout FaultSet) throws(Problem) {
        guard let members = value.object else { throw Problem("a fault must be a JSON object") }
        if members.contains(where: { $0.name == "outcome" }) {
            var fault = DeliveryFault(outcome: "")
            try FaultMember.read(members, of: FaultMember.ofDeliveries, into: &fault)
            faults.deliveries.append(fault)
        } else {
            var fault = Fault()
            try FaultMember.read(members, of: FaultMember.ofRequests, into: &fault)
            try fault.checkTogether(members)
            faults.requests.append(fault)
        }
    }
}

extension Fault {
    /// Rejects invalid combinations of members.
    fileprivate mutating func checkTogether(_ members: [JSONMember]) throws(FaultReader.Problem) {
        func has(_ name: String) -> Bool { members.contains { $0.name == name } }
        func demand(_ isRight: Bool, _ text: String) throws(FaultReader.Problem) {
            if !isRight { throw FaultReader.Problem(text) }
        }
        if has("error"), status == nil { status = 401 }
        // Resolved here, because the members can be in any order.
        if cut == .before, isAccepted, members.contains(where: { $0.value.bool == true && $0.name == "cut" }) {
            cut = .after
        }
        try demand(
            refusal != nil || cut != nil || latency != .none,
            "a fault needs one of the members status, error, cut, latency, throttle and outcome"
        )
        try demand(cut == nil || status == nil, "the members status and cut cannot be combined")
        try demand(cut != .before || !isAccepted, "the member accepted cannot be combined with cut before")
        try demand(!has("error") || status == 401, "the member error requires the status 401")
        try demand(!has("retryAfter") || refusal != nil, "the member retryAfter requires a status")
        try demand(!has("accepted") || refusal != nil || cut != nil, "the member accepted requires a status or a cut")
        try demand(window.period == nil || window.length != nil, "the member every requires the member for")
        if let period = window.period, let length = window.length {
            try demand(length < period, "the member every must be longer than the member for")
        }
    }
}

/// Values of members of faults; `nil` if a value has the wrong type or is out of range.
extension JSONValue {
    private static var yearInSeconds: Int64 { 31_536_000 }

    /// An integer within a range.
    func whole(_ range: ClosedRange<Int64>) -> Int? {
        int64.flatMap { range.contains($0) ? Int($0) : nil }
    }

    /// One of the raw values of a type.
    func choice<Choice: RawRepresentable<String>>() -> Choice? {
        string.flatMap { Choice(rawValue: $0) }
    }

    /// A text that is not empty.
    var filledString: String? {
        string.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// An array of 1 to 100 valid values.
    func all<Value>(_ read: (JSONValue) -> Value?) -> [Value]? {
        guard let elements = array, (1...100).contains(elements.count) else { return nil }
        let values = elements.compactMap(read)
        return values.count == elements.count ? values : nil
    }

    /// A duration of at most a year: `250ms`, `120s`, `2m`, `1h` or a number of seconds.
    var duration: Duration? {
        if let seconds = whole(0...Self.yearInSeconds) { return .seconds(seconds) }
        guard let text = string else { return nil }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits), number <= Self.yearInSeconds * 1000 else { return nil }
        let duration: Duration? =
            switch text[digits.endIndex...] {
            case "ms": .milliseconds(number)
            case "s": .seconds(number)
            case "m": .seconds(number * 60)
            case "h": .seconds(number * 3600)
            default: nil
            }
        return duration.flatMap { $0 <= .seconds(Self.yearInSeconds) ? $0 : nil }
    }

    /// A duration, or two percentiles in ascending order.
    var latency: FaultLatency? {
        if let duration { return .fixed(duration) }
        guard let members = object, members.count == 2, let p50 = self[member: "p50"]?.duration,
            let p99 = self[member: "p99"]?.duration, p50 > .zero, p50 <= p99
        else { return nil }
        return .percentiles(p50: p50, p99: p99)
    }

    /// A number of seconds, or a date this many seconds in the future.
    var retryAfter: Fault.RetryAfter? {
        if let seconds = whole(0...Self.yearInSeconds) { return .seconds(seconds) }
        guard object?.count == 1 else { return nil }
        return self[member: "date"]?.whole(0...Self.yearInSeconds).map { .date(secondsAhead: $0) }
    }
}

/// A JSON member of a fault.
struct FaultMember<Target> {
    private let name: String
    /// The allowed values; completes the text "allowed: …".
    private let takes: String
    /// Stores the value; returns false if it has the wrong type or is out of range.
    private let set: (JSONValue, inout Target) -> Bool

    private init(_ name: String, _ takes: String, _ set: @escaping (JSONValue, inout Target) -> Bool) {
        self.name = name
        self.takes = takes
        self.set = set
    }

    /// Parses the members of an object.
    ///
    /// - Parameters:
    ///   - members: The members of the object.
    ///   - known: The allowed members.
    ///   - target: Receives the values.
    /// - Throws: ``FaultReader/Problem`` with the name of the first invalid member.
    static func read(
        _ members: [JSONMember],
        of known: [FaultMember],
        into target: inout Target
    ) throws(FaultReader.Problem) {
        for member in members {
            guard let reader = known.first(where: { $0.name == member.name }) else {
                let names = known.map(\.name).joined(separator: ", ")
                throw FaultReader.Problem("unknown member \(member.name); allowed: \(names)")
            }
            guard reader.set(member.value, &target) else {
                throw FaultReader.Problem("the member \(member.name) is invalid; allowed: \(reader.takes)")
            }
        }
    }

    /// Creates a member that is stored at a key path.
    private init<Value>(
        _ name: String,
        _ takes: String,
        to path: WritableKeyPath<Target, Value>,
        _ read: @escaping (JSONValue) -> Value?
    ) {
        self.init(name, takes) { value, target in
            guard let read = read(value) else { return false }
            target[keyPath: path] = read
            return true
        }
    }

    /// Like ``init(_:_:to:_:)``. The distinct label ensures that an invalid value is never stored as `nil`.
    private init<Value>(
        _ name: String,
        _ takes: String,
        toOptional path: WritableKeyPath<Target, Value?>,
        _ read: @escaping (JSONValue) -> Value?
    ) {
        self.init(name, takes) { value, target in
            target[keyPath: path] = read(value)
            return target[keyPath: path] != nil
        }
    }
}

extension FaultMember where Target == Fault {
    /// The members of a request fault.
    static var ofRequests: [FaultMember] {
        [
            FaultMember("status", "a whole number from 200 to 599", toOptional: \.status) { $0.whole(200...599) },
            FaultMember("error", choice(Fault.TokenError.self), to: \.tokenError) { $0.choice() },
            FaultMember("retryAfter", #"seconds, or {"date": seconds ahead}"#, toOptional: \.retryAfter) {
                $0.retryAfter
            },
            FaultMember("cut", "true, false, " + choice(Fault.Cut.self)) { value, fault in
                fault.cut = value.bool == true ? .before : value.choice()
                return fault.cut != nil || value.bool == false
            },
            FaultMember("latency", #"a duration, or {"p50": "20ms", "p99": "400ms"}"#, to: \.latency) {
                $0.latency
            },
            FaultMember("accepted", "true or false", to: \.isAccepted, \.bool),
            FaultMember("throttle", "requests per second, above 0 and at most 1000000", toOptional: \.throttle) {
                $0.double.flatMap { $0 > 0 && $0 <= 1_000_000 ? $0 : nil }
            },
            FaultMember(
                "operations",
                "an array of at most 100 of " + choice(FaultScope.Operation.self),
                toOptional: \.scope.operations
            ) {
                $0.all { $0.choice() }.map(Set.init)
            },
            FaultMember(
                "requests",
                #"an array of at most 100 texts such as "POST /hub/messages""#,
                toOptional: \.scope.requests
            ) {
                $0.all { $0.string.flatMap { FaultScope.Pattern($0) } }
            },
            FaultMember("containing", "a text that is not empty", toOptional: \.scope.containing) { $0.filledString },
            rate(\.rate),
            FaultMember("count", "a whole number above 0", toOptional: \.remaining) { $0.whole(1...1_000_000_000) },
            FaultMember("for", "a duration above 0, such as 250ms, 120s or 2m", toOptional: \.window.length) {
                $0.duration.flatMap { $0 > .zero ? $0 : nil }
            },
            FaultMember("after", "a duration, such as 250ms, 120s or 2m", to: \.window.delay) { $0.duration },
            FaultMember("every", "a duration above 0, such as 250ms, 120s or 2m", toOptional: \.window.period) {
                $0.duration.flatMap { $0 > .zero ? $0 : nil }
            },
        ]
    }
}

extension FaultMember where Target == DeliveryFault {
    /// The members of a delivery fault.
    static var ofDeliveries: [FaultMember] {
        [
            FaultMember("outcome", "one of " + DeliveryFault.outcomes.joined(separator: ", "), to: \.outcome) { value in
                value.string.flatMap { DeliveryFault.outcomes.contains($0) ? $0 : nil }
            },
            rate(\.rate),
            FaultMember("platform", choice(PushPlatform.self), toOptional: \.platform) {
                $0.string.flatMap { PushPlatform(name: $0) }
            },
            FaultMember("handle", "a text that is not empty", toOptional: \.handle) { $0.filledString },
        ]
    }
}

extension FaultMember {
    private static func rate(_ path: WritableKeyPath<Target, Double>) -> FaultMember {
        FaultMember("rate", "a number from 0 to 1", to: path) {
            $0.double.flatMap { (0...1).contains($0) ? $0 : nil }
        }
    }

    private static func choice<Choice: CaseIterable & RawRepresentable<String>>(_: Choice.Type) -> String {
        Choice.allCases.map(\.rawValue).joined(separator: ", ")
    }
}
