/// The reference page `deploy/guides/configuration.md`: a table for each section.
package enum ConfigurationPage {
    private static let header = """
        # Configuration keys

        All keys of the configuration, in the order of [the sample](../newsflash.yaml). `*` stands for a name that you choose.
        `newsflash lint` checks a file, and `newsflash config show` prints each value with its origin. An environment
        variable can set each single value: `kafka.bootstrapServers` is `NEWSFLASH_KAFKA_BOOTSTRAP_SERVERS`.

        - A duration is a whole number with ms, s, m, h or d: `250ms`, `30s`. A size is a number of bytes, or a whole
          number with KiB, MiB or GiB: `64 MiB`. A rate is a count and a period: `6 per 10m`, `12 per day`.
        - A list can be written as one text with commas, as in an environment variable.
        - Reload: the effect of a change on `newsflash reload`. **compared**: the new rules are applied if they pass a
          comparison on the latest events ([reload](#reload)). **at once**: the new value is applied. **restart**: the
          reload is refused, and the change takes effect at the next start.
        - No key contains a secret. Secrets are in files or environment variables of their own, which the keys name.

        This page is generated from the table of keys in `Sources/Rules/Configuration`.
        """

    /// Returns the page.
    package static func text() -> String {
        let sections = ConfigurationTable.sections.map { section in
            let rows = ConfigurationTable.rows.filter { $0.path.first == section }
            var text = "## \(section)\n\n"
            if case .group(let group) = rows[0] { text += escaped(group.meaning) + "\n\n" }
            text += "| key | meaning | type and range | default | reload |\n|---|---|---|---|---|\n"
            return text + rows.compactMap(line).joined(separator: "\n") + "\n"
        }
        return header + "\n\n" + sections.joined(separator: "\n")
    }

    private static func line(_ row: ConfigurationRow) -> String? {
        let name = "`\(row.path.joined(separator: "."))`"
        switch row {
        case .group(let group):
            // The first mapping is the text before the table.
            return group.path.count == 1 ? nil : "| \(name) | \(escaped(group.meaning)) | mapping | | |"
        case .key(let key):
            let cells = [
                name, escaped(key.meaning), escaped(key.type.words), standard(key.standard), reload(key.reload),
            ]
            return "| " + cells.joined(separator: " | ") + " |"
        }
    }

    private static func standard(_ standard: ConfigurationKey.Standard) -> String {
        switch standard {
        case .none: "none"
        case .required: "required"
        case .value(let value): "`\(value)`"
        case .derived(let words, _): escaped(words)
        }
    }

    private static func reload(_ reload: ConfigurationKey.Reload) -> String {
        switch reload {
        case .rule: "compared"
        case .setting: "at once"
        case .fixed: "restart"
        }
    }

    /// A text for a cell of a table in Markdown; what is between backquotes stays as it is.
    private static func escaped(_ text: String) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        return parts.enumerated().map { index, part in
            index % 2 == 1 ? "`\(part)`" : part.replacing("<", with: "&lt;").replacing("*", with: "\\*")
        }.joined()
    }
}
