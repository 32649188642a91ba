import NewsflashCommandLineArguments
import NewsflashEvents
import NewsflashKafka

extension KafkaHeader: ExpressibleByArgument {
    /// Parses a header such as `name: value`.
    ///
    /// - Parameter argument: The text. Spaces after the colon are ignored.
    package init?(argument: String) {
        guard let colon = argument.firstIndex(of: ":"), colon > argument.startIndex else { return nil }
        let value = argument[argument.index(after: colon)...].drop { $0 == " " }
        self.init(name: String(argument[..<colon]), text: String(value))
    }

    package static var expectedArgument: String { "a name and a value, such as 'name: value'" }

    /// The header as a decoder reads it.
    var ofEvent: EventHeader { EventHeader(name: name, value: value) }
}
