extension OddConfiguration {
    /// All odd configurations.
    static let all =
        yaml + encodings + roots + group + security + properties + brokers + times + delivery + topics
        + hubsAndSources + rules + values + variables

    private static let reserved = "is set by the worker, whose guarantees depend on it; remove it"
    static func promised(_ property: String) -> String { "2 kafka.properties.\(property): \(reserved)" }

    /// YAML that cannot be read, and unknown keys.
    static let yaml: [Self] = [
        .kafka("\n\tgroup: x", "3 found character that cannot start any token; tabs cannot indent, use spaces"),
        .kafka("&k { group: newsflash }", "2 anchors (&) and aliases (*) are not supported"),
        .adding("x: { <<: *k }", "11 anchors (&) and aliases (*) are not supported"),
        .adding("categories:\n  A: [b]", "11 the key 'categories' is already in line 5"),
        .kafka("\n  group: a\n  group: b", "4 the key 'group' is already in line 3"),
        .adding("---\nversion: 1", "11 a second document begins; only one is allowed"),
        .kafka("{ group: !!str newsflash }", "2 tags (!) are not supported; remove it"),
        .adding(
            "x: " + String(repeating: "[", count: 40) + String(repeating: "]", count: 40),
            "11 is nested more than 32"
        ),
        .adding("? [a, b]\n: c", "11 a key must be a plain word, not a list or a mapping"),
        .kafka("{ group: newsflash", "3 did not find expected ',' or '}'; close each { and ["),
        .kafka(
            "\n  group: a: b",
            "3 mapping values are not allowed in this context; put a value that contains ': ' in quotes"
        ),
        .kafka("\n  group: a\n instance: b", "4 did not find expected key; begin the keys of a section in one column"),
        .kafka(
            "\n  group: %x",
            "3 found character that cannot start any token; a value that begins with % needs quotes"
        ),
        .kafka(
            "\n  group: @x",
            "3 found character that cannot start any token; a value that begins with @ needs quotes"
        ),
        .kafka(
            "\n  group: `x`",
            "3 found character that cannot start any token; a value that begins with ` needs quotes"
        ),
        .kafka("[a]", "2 kafka: must be a mapping of keys to values"),
        .kafka("localhost:9092", "2 kafka: must be a mapping of keys to values"),
        .adding("kafkaa: {}", "11 kafkaa: unknown key; did you mean 'kafka'?"),
        .adding("foo:", "11 foo: unknown key"),
    ]

    /// Files with bytes that are not UTF-8, and files in other encodings.
    private static let encodings: [Self] = [
        .file("Latin-1", "8 is not UTF-8 (byte 0xE9), perhaps Latin-1 or Windows-1252; save the file as UTF-8: iconv") {
            $0.replacing("Alerte :", with: "Alerte spéciale :").unicodeScalars.map { UInt8($0.value) }
        },
        .file("UTF-8 with a byte order mark") { [0xEF, 0xBB, 0xBF] + Array($0.utf8) },
        .file("UTF-16", "the file is in UTF-16 or UTF-32; save it as UTF-8: iconv") {
            [0xFF, 0xFE] + $0.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        },
        .file("UTF-16 without a byte order mark", "the file is in UTF-16 or UTF-32; save it as UTF-8") {
            $0.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        },
        .file("a byte of value 0", "3 has a byte of value 0, which is not text; remove it") {
            Array($0.replacing("newsroom", with: "news\0room").utf8)
        },
        .file("another control character", "3 control characters are not allowed") {
            Array($0.replacing("newsroom", with: "news\u{1}room").utf8)
        },
        .file("lines that end in CR LF") { Array($0.replacing("\n", with: "\r\n").utf8) },
        .file("lines that end in CR") { Array($0.replacing("\n", with: "\r").utf8) },
        .file("no line break at the end") { Array($0.dropLast().utf8) },
        .file("more than a megabyte", "1 the text has 10") {
            Array(($0 + "# " + String(repeating: "x", count: 1 << 20)).utf8)
        },
    ]

    /// The root of the file and its version.
    private static let roots: [Self] = [
        Self(text: "", as: "empty", "the file has no keys; it needs version, hub or hubs, locales and categories"),
        Self(text: "# nothing\n", "the file has no keys"),
        Self(text: "hello\n", "1 must be a mapping of keys to values"),
        Self(text: "- a\n- b\n", "1 must be a mapping of keys to values"),
        Self(
            text: #"{"version":1,"hub":"n","locales":{"offered":["en"]},"categories":{"World":["world"]},"#
                + #""text":{"kill":"x {headline}"}}"#,
            as: "JSON",
            "warning 1 hub: no connection string for the hub n: set the variable NEWSFLASH_HUB_CONNECTION_STRING"
        ),
        .replacing("version: 1", "version: 1.0", "1 version: '1.0' is not known; this worker reads version 1"),
        .replacing("version: 1", "version: \"1\""),
        .replacing("version: 1\n", "", "version: is missing; write 'version: 1'"),
        .replacing("version: 1", "version: 2", "1 version: '2' is not known; this worker reads version 1"),
    ]
}
