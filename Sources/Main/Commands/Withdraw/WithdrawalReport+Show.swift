import NewsflashOperations

extension [WithdrawalReport] {
    /// Prints all of them.
    func show(json: Bool) {
        for report in self {
            if json { StandardOutput.write(report.json) } else { StandardOutput.write(lines: report.lines) }
        }
    }
}
