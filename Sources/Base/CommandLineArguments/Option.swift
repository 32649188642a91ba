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

    /// The value given, or the default; a required one exists once the arguments were parsed.
    package var wrappedValue: Value {
        get { storage.filled }
        set { storage = InputStorage(newValue) }
    }

    /// An option that may be left out.
    package init(wrappedValue: Value, name: NameSpecification = .long, help: ArgumentHelp? = nil)
    where Value: ExpressibleByArgument {
        self.init(.single(wrappedValue), name, help)
    }

    /// An option that must be given.
    package init(name: NameSpecification = .long, help: ArgumentHelp? = nil) where Value: ExpressibleByArgument {
        self.init(.single(nil), name, help)
    }

    /// An option that may be left out, with a default or `nil`.
    package init<Element: ExpressibleByArgument>(
        wrappedValue: Element?,
        name: NameSpecification = .long,
        help: ArgumentHelp? = nil
    )
    where Value == Element? {
        self.init(.optional(wrappedValue), name, help)
    }

    /// An option that may be left out.
    package init<Element: ExpressibleByArgument>(name: NameSpecification = .long, help: ArgumentHelp? = nil)
    where Value == Element? {
        self.init(.optional(nil), name, help)
    }

    /// An option that may be repeated; what is given replaces the default.
    package init<Element: ExpressibleByArgument>(
        wrappedValue: [Element],
        name: NameSpecification = .long,
        help: ArgumentHelp? = nil
    )
    where Value == [Element] {
        self.init(.repeated(wrappedValue), name, help)
    }

    /// An option that may be repeated and must be given once.
    package init<Element: ExpressibleByArgument>(name: NameSpecification = .long, help: ArgumentHelp? = nil)
    where Value == [Element] {
        self.init(.repeated(nil), name, help)
    }

    func inputs(property: String) -> [Input] {
        [reading.input(.option, names: name.spelled(for: property), property: property, help: help, storage: storage)]
    }
}
