import CommandLineArguments

/// The value of `--test-sends`.
enum TestSends: ExpressibleByArgument {
    case number(Int)
    case unlimited

    init?(argument: String) {
        if argument == "unlimited" {
            self = .unlimited
        } else if let number = Int(argument), number >= 0 {
            self = .number(number)
        } else {
            return nil
        }
    }

    /// The limit; `nil` if there is none.
    var perMinute: Int? { if case .number(let number) = self { number } else { nil } }

    var defaultValueDescription: String { perMinute.map { "\($0)" } ?? "unlimited" }
    static var expectedArgument: String { "a whole number of at least 0, or 'unlimited'" }
}
