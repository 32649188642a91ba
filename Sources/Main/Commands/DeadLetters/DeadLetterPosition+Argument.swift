import NewsflashCommandLineArguments
import NewsflashOperations

extension DeadLetterPosition: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }

    static var expectedArgument: String { "a partition and an offset, such as 3@4711" }
}
