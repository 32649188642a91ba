import StrictJSON

/// Faults as JSON: `{"status": 503, "for": "120s"}`, or an array of such.
///
/// Members: `status` (200 to 599), `retryAfter` (seconds, or `{"date": seconds ahead}`), `cut` (the connection, in place of
/// an answer), `latency` and `for` (`250ms`,
/// `120s`, `2m`, `1h`, or a number of seconds), `accepted` (the send counts although the answer says no), `containing`
/// (only bodies with this text), `rate` (0 to 1), `count` (how often).
package enum FaultReader {
    /// Why a text names no faults.
    package struct Problem: Error, Equatable, CustomStringConvertible {
        /// What is wrong, with the member's name.
        package let description: String
    }

    /// Reads faults.
    ///
    /// - Parameter bytes: An object, an array of objects; `[]` for none.
    /// - Returns: In the order of the text.
    /// - Throws: ``Problem`` for JSON that is none, an unknown member or a value out of its range.
    package static func read(_ bytes: [UInt8]) throws(Problem) -> [Fault] {
        let value: JSONValue
        do {
            value = try JSONReader.read(bytes)
        } catch {
            throw Problem(description: "the body is not JSON: \(error)")
        }
        var faults: [Fault] = []
        for element in value.array ?? [value] { faults.append(try fault(element)) }
        return faults
    }

    private static func fault(_ value: JSONValue) throws(Problem) -> Fault {
        guard let members = value.object else { throw Problem(description: "a fault is a JSON object") }
        var fault = Fault()
        for member in members {
            guard try set(member, in: &fault) else { throw Problem(description: "the member \(member.name) is wrong") }
        }
        guard fault.status != nil || fault.isCut || fault.latency > .zero else {
            throw Problem(description: "a fault has a status, a cut or a latency")
        }
        return fault
    }

    /// Takes one member over; `false` for a value that it cannot have.
    private static func set(_ member: JSONMember, in fault: inout Fault) throws(Problem) -> Bool {
        let value = member.value
        switch member.name {
        case "status":
            fault.status = value.int64.flatMap { (200...599).contains($0) ? Int($0) : nil }
            return fault.status != nil
        case "retryAfter":
            if let seconds = seconds(value) {
                fault.retryAfter = .seconds(seconds)
            } else if let seconds = value[member: "date"].flatMap(seconds) {
                fault.retryAfter = .date(secondsAhead: seconds)
            }
            return fault.retryAfter != nil
        case "latency":
            guard let latency = duration(value) else { return false }
            fault.latency = latency
            return true
        case "for":
            fault.lasting = duration(value)
            return fault.lasting != nil
        case "cut":
            fault.isCut = value.bool ?? false
            return value.bool != nil
        case "accepted":
            fault.isAccepted = value.bool ?? false
            return value.bool != nil
        case "containing":
            fault.containing = value.string
            return fault.containing?.isEmpty == false
        case "rate":
            guard let rate = value.double, (0...1).contains(rate) else { return false }
            fault.rate = rate
            return true
        case "count":
            fault.remaining = value.int64.flatMap { $0 > 0 ? Int(exactly: $0) : nil }
            return fault.remaining != nil
        default:
            throw Problem(
                description: "a fault has no member \(member.name); it has status, retryAfter, cut, latency, for, "
                    + "accepted, containing, rate and count"
            )
        }
    }

    private static func seconds(_ value: JSONValue) -> Int? {
        value.int64.flatMap { (0...31_536_000).contains($0) ? Int($0) : nil }
    }

    private static func duration(_ value: JSONValue) -> Duration? {
        if let seconds = seconds(value) { return .seconds(seconds) }
        guard let text = value.string else { return nil }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits), number <= 31_536_000_000 else { return nil }
        switch text[digits.endIndex...] {
        case "ms": return .milliseconds(number)
        case "s": return .seconds(number)
        case "m": return .seconds(number * 60)
        case "h": return .seconds(number * 3600)
        default: return nil
        }
    }
}
