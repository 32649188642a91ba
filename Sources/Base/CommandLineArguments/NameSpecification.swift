/// The names of an option or flag: one, or several as an array literal (`[.customShort("c"), .long]`).
package struct NameSpecification: Sendable, ExpressibleByArrayLiteral {
    private enum Name: Sendable {
        case long, short
        case customLong(String)
        case customShort(Character)
    }

    private var names: [Name]

    /// The property's name in kebab case after two hyphens: `--dry-run`.
    package static let long = NameSpecification(names: [.long])
    /// The first letter of the property's name after one hyphen: `-d`.
    package static let short = NameSpecification(names: [.short])
    /// Both: `-d, --dry-run`.
    package static let shortAndLong = NameSpecification(names: [.short, .long])

    /// Another long name, given without hyphens.
    package static func customLong(_ name: String) -> NameSpecification {
        NameSpecification(names: [.customLong(name)])
    }

    /// Another short name, given without its hyphen.
    package static func customShort(_ letter: Character) -> NameSpecification {
        NameSpecification(names: [.customShort(letter)])
    }

    private init(names: [Name]) {
        self.names = names
    }

    package init(arrayLiteral elements: NameSpecification...) {
        names = elements.flatMap(\.names)
    }

    /// Returns the names as written on the command line, including hyphens.
    func spelled(for property: String) -> [String] {
        names.map { name in
            switch name {
            case .long: "--" + property.kebabCased
            case .short: "-" + property.prefix(1).lowercased()
            case .customLong(let name): "--" + name
            case .customShort(let letter): "-\(letter)"
            }
        }
    }
}

extension String {
    /// The string in kebab case: `maximumURLLength` as `maximum-url-length`.
    var kebabCased: String {
        let letters = Array(self)
        var result = ""
        for (index, letter) in letters.enumerated() {
            if letter.isUppercase, index > 0 {
                let startsWord = index + 1 < letters.count && letters[index + 1].isLowercase
                if !letters[index - 1].isUppercase || startsWord { result.append("-") }
            }
            result += letter.lowercased()
        }
        return result
    }
}
