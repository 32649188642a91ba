/// The conversion of words of a command line to the value of one property: a single value, an optional or an array.
struct ValueReading<Value> {
    var initial: Value?
    var isRequired: Bool
    var isRepeatable = false
    var defaultText: String?
    var allowedValues: [String]
    var expected: String
    var read: (_ word: String, _ isFirst: Bool, _ value: inout Value?) -> Bool

    /// Returns the conversion to one value, which is required without a default.
    static func single(_ initial: Value?) -> ValueReading where Value: ExpressibleByArgument {
        ValueReading(
            initial: initial,
            isRequired: initial == nil,
            defaultText: initial?.defaultValueDescription,
            allowedValues: Value.allValueStrings,
            expected: Value.expectedArgument
        ) { word, _, value in
            guard let read = Value(argument: word) else { return false }
            value = read
            return true
        }
    }

    /// Returns the conversion to an optional value.
    static func optional<Element: ExpressibleByArgument>(_ initial: Element?) -> ValueReading
    where Value == Element? {
        ValueReading(
            initial: .some(initial),
            isRequired: false,
            defaultText: initial?.defaultValueDescription,
            allowedValues: Element.allValueStrings,
            expected: Element.expectedArgument
        ) { word, _, value in
            guard let read = Element(argument: word) else { return false }
            value = .some(read)
            return true
        }
    }

    /// Returns the conversion to an array; at least one value is required without a default.
    static func repeated<Element: ExpressibleByArgument>(_ initial: [Element]?) -> ValueReading
    where Value == [Element] {
        ValueReading(
            initial: initial,
            isRequired: initial == nil,
            isRepeatable: true,
            defaultText: initial?.map(\.defaultValueDescription).joined(separator: ", "),
            allowedValues: Element.allValueStrings,
            expected: Element.expectedArgument
        ) { word, isFirst, value in
            guard let read = Element(argument: word) else { return false }
            value = isFirst ? [read] : (value ?? []) + [read]
            return true
        }
    }

    /// Returns the input that fills a storage.
    func input(
        _ kind: Input.Kind,
        names: [String],
        property: String,
        help: ArgumentHelp?,
        storage: InputStorage<Value>
    ) -> Input {
        Input(
            kind: kind,
            names: names,
            valueName: help?.valueName ?? property.kebabCased,
            help: help ?? "",
            isRequired: isRequired,
            isRepeatable: isRepeatable,
            defaultText: defaultText.flatMap { $0.isEmpty ? nil : $0 },
            allowedValues: allowedValues,
            expected: expected
        ) { word, isFirst in
            read(word, isFirst, &storage.value)
        }
    }
}
