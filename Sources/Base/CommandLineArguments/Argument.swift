/// A value given by its position; an array takes all that follow.
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

    /// The value given, or the default; a required one exists once the arguments were parsed.
    package var wrappedValue: Value {
        get { storage.filled }
        set { storage = InputStorage(newValue) }
    }

    /// An argument that may be left out.
    package init(wrappedValue: Value, help: ArgumentHelp? = nil) where Value: ExpressibleByArgument {
        self.init(.single(wrappedValue), help)
    }

    /// An argument that must be given.
    package init(help: ArgumentHelp? = nil) where Value: ExpressibleByArgument {
        self.init(.single(nil), help)
    }

    /// An argument that may be left out, with a default or `nil`.
    package init<Element: ExpressibleByArgument>(wrappedValue: Element?, help: ArgumentHelp? = nil)
    where Value == Element? {
        self.init(.optional(wrappedValue), help)
    }

    /// An argument that may be left out.
    package init<Element: ExpressibleByArgument>(help: ArgumentHelp? = nil) where Value == Element? {
        self.init(.optional(nil), help)
    }

    /// All remaining arguments, or the default when there are none.
    package init<Element: ExpressibleByArgument>(wrappedValue: [Element], help: ArgumentHelp? = nil)
    where Value == [Element] {
        self.init(.repeated(wrappedValue), help)
    }

    /// All remaining arguments, at least one.
    package init<Element: ExpressibleByArgument>(help: ArgumentHelp? = nil) where Value == [Element] {
        self.init(.repeated(nil), help)
    }

    func inputs(property: String) -> [Input] {
        [reading.input(.argument, names: [], property: property, help: help, storage: storage)]
    }
}
