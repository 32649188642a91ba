/// A group of arguments that several commands share, as if each declared them.
@propertyWrapper
package struct OptionGroup<Value: ParsableArguments>: InputSource {
    private var storage = InputStorage<Value>(Value())

    /// The group.
    package var wrappedValue: Value {
        get { storage.filled }
        set { storage = InputStorage(newValue) }
    }

    /// Creates the group with its defaults.
    package init() {}

    func inputs(property: String) -> [Input] {
        Input.all(of: storage.filled)
    }

    func validate() throws {
        var group = storage.filled
        try Input.validate(&group)
        storage.value = group
    }
}
