import FoundationEssentials
import NewsflashStrictJSON
package import NewsflashWorker

/// Keys of a configuration with their values and origins, as text or JSON.
package struct ConfigurationListing {
    private let values: [ConfigurationValue]
    private let file: String

    /// Creates a listing.
    ///
    /// - Parameters:
    ///   - values: The values of all keys.
    ///   - file: The configuration's name.
    ///   - prefix: A key or section to which the listing is limited; `nil` for all.
    package init(_ values: [ConfigurationValue], file: String, below prefix: String?) {
        self.values = values.filter { value in
            guard let prefix else { return true }
            return value.hubOfConnectionString == nil && value.key == prefix || value.key.hasPrefix(prefix + ".")
        }
        self.file = file
    }

    package var isEmpty: Bool { values.isEmpty }

    /// One line per key, in columns wide enough for most values.
    package var lines: [String] {
        let keys = values.filter { $0.hubOfConnectionString == nil }
        let keyWidth = keys.map(\.key.count).max() ?? 0
        let valueWidth = min(keys.map(\.content.line.count).max() ?? 0, Self.widestValue)
        return values.map { value in
            if let hub = value.hubOfConnectionString {
                let place = value.content == .hidden ? "hidden, from \(origin(of: value))" : "missing"
                return "(the connection string of the hub \(hub): \(place))"
            }
            return
                "\(value.key.padded(to: keyWidth))  \(value.content.line.padded(to: valueWidth))  \(origin(of: value))"
        }
    }

    /// The maximum width of the value column; longer values shift the origin to the right.
    private static let widestValue = 40

    /// One JSON object per key.
    package var json: [[UInt8]] {
        values.map { value in
            JSONWriter.object { writer in
                if let hub = value.hubOfConnectionString {
                    writer.member("connectionStringOf", hub)
                } else {
                    writer.member("key", value.key)
                }
                writer.name("value")
                switch value.content {
                case .text(let text): writer.value(text)
                case .list(let texts):
                    writer.beginArray()
                    for text in texts { writer.value(text) }
                    writer.endArray()
                case .hidden, .none: writer.null()
                }
                if value.content == .hidden {
                    writer.member("secret", true)
                }
                writer.member("origin", origin(of: value))
                if case .file(let line) = value.origin { writer.member("line", Int64(line)) }
            }
        }
    }

    private func origin(of value: ConfigurationValue) -> String {
        switch value.origin {
        case .file(let line): "\(file):\(line)"
        case .variable(let name): name
        case .secretFile(let path): path
        case .standard: "default"
        }
    }
}

extension ConfigurationValue.Content {
    /// The value as text on one line; lists are in brackets.
    fileprivate var line: String {
        switch self {
        case .text(let text): text.isEmpty ? "\"\"" : text.oneLine
        case .list(let texts): "[" + texts.map(\.oneLine).joined(separator: ", ") + "]"
        case .hidden: "(hidden)"
        case .none: "-"
        }
    }
}

extension String {
    /// Returns the text with spaces at the end, so that it is at least `width` characters long.
    package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    fileprivate var oneLine: String {
        String(map { $0.isNewline ? "⏎" : $0 })
    }
}
