import Timestamps

extension Timestamp {
    /// The time as in the service's error texts: `7/2/2020 6:33:21 PM`, in UTC.
    var americanDate: String {
        // 2020-07-02T18:33:21.000Z
        let parts = rfc3339.split { !$0.isNumber }.map { Int($0) ?? 0 }
        guard parts.count >= 6 else { return rfc3339 }
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let hour = parts[3] % 12 == 0 ? 12 : parts[3] % 12
        let half = parts[3] < 12 ? "AM" : "PM"
        return "\(parts[1])/\(parts[2])/\(parts[0]) \(hour):\(two(parts[4])):\(two(parts[5])) \(half)"
    }
}
