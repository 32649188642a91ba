import NotificationHubs
import StrictJSON

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
