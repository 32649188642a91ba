/// A switch that is on when its name is given.
@propertyWrapper
package struct Flag: InputSource {
    private let name: NameSpecification
    private let help: ArgumentHelp?
    private var storage: InputStorage<Bool>

    /// Whether the flag was given; otherwise the default, usually `false`.
    package var wrappedValue: Bool {
        get { storage.filled }
        set { storage = InputStorage(newValue) }
    }

    /// Creates a flag; giving it sets the property to `true`.
    package init(wrappedValue: Bool, name: NameSpecification = .long, help: ArgumentHelp? = nil) {
        self.name = name
        self.help = help
        storage = InputStorage(wrappedValue)
    }

    func inputs(property: String) -> [Input] {
        let names = name.spelled(for: property)
        return [
            Input(kind: .flag, names: names, valueName: "", help: help ?? "", isRepeatable: true) { [storage] _, _ in
                storage.value = true
                return true
            }
        ]
    }
}
