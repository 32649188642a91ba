/// A value given after its name, `--name value` or `--name=value`; an array may be given more than once.
@propertyWrapper
package struct Option<Value>: InputSource {
    private let reading: ValueReading<Value>
    private let name: NameSpecification
    private let help: ArgumentHelp?
    private var storage: InputStorage<Value>

    private init(_ reading: ValueReading<Value>, _ name: NameSpecification, _ help: ArgumentHelp?) {
        self.reading = reading
        self.name = name
        self.help = help
        storage = InputStorage(reading.initial)
    }

    /// The given value, or the default. A required value exists only after parsing.
    package var wrappedValue: Value {
        get { storage.filled }
        set { storage = InputStorage(newValue) }
    }

    /// Creates an option that may be omitted; it has a default.
    package init(wrappedValue: Value, name: NameSpecification = .long, help: ArgumentHelp? = nil)
    where Value: ExpressibleByArgument {
        self.init(.single(wrappedValue), name, help)
    }

    /// Creates a required option.
    package init(name: NameSpecification = .long, help: ArgumentHelp? = nil) where Value: ExpressibleByArgument {
        self.init(.single(nil), name, help)
    }

    /// Creates an option that may be omitted, with a default or `nil`.
    package init<Element: ExpressibleByArgument>(
        wrappedValue: Element?,
        name: NameSpecification = .long,
        help: ArgumentHelp? = nil
    )
    where Value == Element? {
        self.init(.optional(wrappedValue), name, help)
    }

    /// Creates an option that may be omitted.
    package init<Element: ExpressibleByArgument>(name: NameSpecification = .long, help: ArgumentHelp? = nil)
    where Value == Element? {
        self.init(.optional(nil), name, help)
    }

    /// Creates a repeatable option; given values replace the default.
    package init<Element: ExpressibleByArgument>(
        wrappedValue: [Element],
        name: NameSpecification = .long,
        help: ArgumentHelp? = nil
    )
    where Value == [Element] {
        self.init(.repeated(wrappedValue), name, help)
    }

    /// Creates a repeatable option that must be given at least once.
    package init<Element: ExpressibleByArgument>(name: NameSpecification = .long, help: ArgumentHelp? = nil)
    where Value == [Element] {
        self.init(.repeated(nil), name, help)
    }

    func inputs(property: String) -> [Input] {
        [reading.input(.option, names: name.spelled(for: property), property: property, help: help, storage: storage)]
    }
}
