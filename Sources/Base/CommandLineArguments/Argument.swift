/// A value given by its position; an array contains all following values.
@propertyWrapper
package struct Argument<Value>: InputSource {
    private let reading: ValueReading<Value>
    private let help: ArgumentHelp?
    private var storage: InputStorage<Value>

    private init(_ reading: ValueReading<Value>, _ help: ArgumentHelp?) {
        self.reading = reading
        self.help = help
        storage = InputStorage(reading.initial)
    }

    /// The given value, or the default. A required value exists only after parsing.
    package var wrappedValue: Value {
        get { storage.filled }
        set { storage = InputStorage(newValue) }
    }

    /// Creates an optional argument with a default.
    package init(wrappedValue: Value, help: ArgumentHelp? = nil) where Value: ExpressibleByArgument {
        self.init(.single(wrappedValue), help)
    }

    /// Creates a required argument.
    package init(help: ArgumentHelp? = nil) where Value: ExpressibleByArgument {
        self.init(.single(nil), help)
    }

    /// Creates an optional argument, with a default or `nil`.
    package init<Element: ExpressibleByArgument>(wrappedValue: Element?, help: ArgumentHelp? = nil)
    where Value == Element? {
        self.init(.optional(wrappedValue), help)
    }

    /// Creates an optional argument.
    package init<Element: ExpressibleByArgument>(help: ArgumentHelp? = nil) where Value == Element? {
        self.init(.optional(nil), help)
    }

    /// Creates an argument for all remaining values, or the default without any.
    package init<Element: ExpressibleByArgument>(wrappedValue: [Element], help: ArgumentHelp? = nil)
    where Value == [Element] {
        self.init(.repeated(wrappedValue), help)
    }

    /// Creates an argument for all remaining values; at least one is required.
    package init<Element: ExpressibleByArgument>(help: ArgumentHelp? = nil) where Value == [Element] {
        self.init(.repeated(nil), help)
    }

    func inputs(property: String) -> [Input] {
        [reading.input(.argument, names: [], property: property, help: help, storage: storage)]
    }
}
