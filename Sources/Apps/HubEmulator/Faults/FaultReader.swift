import StrictJSON

/// Faults as JSON: `{"status": 503, "for": "120s"}`, or an array of such.
///
/// A fault with the member `outcome` is one of deliveries, every other one of requests. A length of time is `250ms`, `120s`,
/// `2m`, `1h` or a number of seconds.
///
/// What a fault of requests does:
/// - `status` (200 to 599): answers so; with `error` (`signature`, `expired`, `missing`, `malformed`, `audience`) a 401 in
///   the words for that; with `retryAfter` (seconds, or `{"date": seconds ahead}`); with `accepted` the request has its
///   effect although the answer says no.
/// - `cut`: the connection, `before` the request has its effect, `after` it or in the `middle` of its answer; `true` is
///   `before`, and with `accepted` `after`.
/// - `latency`: a length of time, or `{"p50": "20ms", "p99": "400ms"}`; see ``FaultLatency/percentiles(p50:p99:)``. Those
///   of faults before one that refuses or cuts add up with its own.
/// - `throttle` (requests a second): strikes only those beyond, with 429 where nothing else is said.
///
/// When it strikes:
/// - `operations` (an array of `send`, `telemetry`, `registration`, `installation`, `job`, `hub`), `requests` (an array of
///   `POST /newsroom/messages`, of which the method may be missing and which is the beginning of a path), `containing` (a
///   text in the body).
/// - `rate` (0 to 1), `count` (how often).
/// - `for` (how long), `after` (how long until it begins), `every` (from one beginning to the next).
///
/// A fault of deliveries has `outcome` (one of ``DeliveryFault/outcomes``), `rate`, `platform` and `handle`.
package enum FaultReader {
    /// Why a text names no faults.
    package struct Problem: Error, Equatable, CustomStringConvertible {
        /// What is wrong, with the member's name.
        package let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    private static let mostFaults = 1000

    /// Reads faults.
    ///
    /// - Parameter bytes: An object, an array of at most 1,000 objects; `[]` for none.
    /// - Returns: In the order of the text.
    /// - Throws: ``Problem`` for JSON that is none, an unknown member or a value out of its range.
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
        // Each request is held against all of them.
        guard elements.count <= mostFaults else { throw Problem("these are more than \(mostFaults) faults") }
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
        guard let members = value.object else { throw Problem("a fault is a JSON object") }
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
    /// Refuses members that do not go together.
    fileprivate mutating func checkTogether(_ members: [JSONMember]) throws(FaultReader.Problem) {
        func has(_ name: String) -> Bool { members.contains { $0.name == name } }
        func demand(_ isRight: Bool, _ text: String) throws(FaultReader.Problem) {
            if !isRight { throw FaultReader.Problem(text) }
        }
        if has("error"), status == nil { status = 401 }
        // What may stand before or after the member cut is known only now.
        if cut == .before, isAccepted, members.contains(where: { $0.value.bool == true && $0.name == "cut" }) {
            cut = .after
        }
        try demand(
            refusal != nil || cut != nil || latency != .none,
            "a fault has one of the members status, error, cut, latency, throttle and outcome"
        )
        try demand(cut == nil || status == nil, "the member status does not go with cut, which sends no other answer")
        try demand(cut != .before || !isAccepted, "the member accepted does not go with cut before: that has no effect")
        try demand(!has("error") || status == 401, "the member error goes with the status 401 only")
        try demand(!has("retryAfter") || refusal != nil, "the member retryAfter goes with a status only")
        try demand(!has("accepted") || refusal != nil || cut != nil, "the member accepted goes with a status or a cut")
        try demand(window.period == nil || window.length != nil, "the member every needs the member for")
        if let period = window.period, let length = window.length {
            try demand(length < period, "the member every is longer than the member for")
        }
    }
}
