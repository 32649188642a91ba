import NewsflashOperations

extension GroupMembers {
    /// Prints how many workers obey an order. If their number is not known, a note on the standard error has the cause.
    ///
    /// - Parameters:
    ///   - workers: The number of workers.
    ///   - group: The group of the workers.
    ///   - none: The effect of the order if no worker runs, such as `it applies as soon as one starts`.
    ///   - effect: The rest of the sentence about a number of workers, such as `act on it within a second`.
    static func show(
        _ workers: Result<Int, OperationError>,
        of group: String,
        none: String,
        _ effect: (_ count: Int) -> String
    ) {
        let line: String
        switch workers {
        case .success(0): line = "no worker of group \(group) runs now: \(none)"
        case .success(let count): line = "\(counted(count, "worker")) of group \(group) \(effect(count))"
        case .failure(let error):
            line = "workers of group \(group) \(effect(2)); their number is not known"
            StandardError.write("note: \(error)")
        }
        StandardOutput.write(line)
    }
}
