import StrictJSON

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
