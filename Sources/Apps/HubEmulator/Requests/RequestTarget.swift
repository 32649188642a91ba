import NotificationHubs

/// The target of a request taken apart: path segments without escapes, query names in lower case.
struct RequestTarget {
    /// The host of a target that is a whole URL (the Python sample sends such), else nothing.
    private(set) var host: String?
    /// As sent, without the query.
    let path: String
    /// Without escapes; a slash at the end makes no segment.
    let segments: [String]
    /// As sent, without the question mark; empty for none.
    let rawQuery: String
    private let query: [(name: String, value: String)]

    init(_ target: String) {
        var rest = target.utf8[...]
        if rest.first != UInt8(ascii: "/"), let end = Self.endOfScheme(target) {
            let authority = rest[end...].prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
            self.host = String(Substring(authority))
            rest = rest[authority.endIndex...]
        }
        let path = rest.prefix { $0 != UInt8(ascii: "?") }
        self.path = String(Substring(path))
        self.segments = path.split(separator: UInt8(ascii: "/")).map { Self.decoded($0) }
        self.rawQuery = String(Substring(rest[path.endIndex...].dropFirst()))
        self.query = rest[path.endIndex...].dropFirst().split(separator: UInt8(ascii: "&")).map { pair in
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            return (Self.decoded(name).lowercased(), String(Substring(pair[name.endIndex...].dropFirst())))
        }
    }

    private static func endOfScheme(_ target: String) -> String.Index? {
        for scheme in ["http://", "https://"] where target.lowercased().hasPrefix(scheme) {
            return target.utf8.index(target.startIndex, offsetBy: scheme.utf8.count)
        }
        return nil
    }

    private static func decoded(_ text: Substring.UTF8View) -> String {
        let text = Substring(text)
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        return PercentEncoding.decode(text) ?? String(text)
    }

    /// Whether the query names a flag: clients write `direct`, `direct=true` and `direct&…`, and all mean it.
    func hasFlag(_ name: String) -> Bool {
        query.contains { $0.name == name }
    }

    /// The first value of a name in the query, with a plus for a blank, as forms have it: .NET and Java write filters so.
    func formValue(of name: String) -> String? {
        query.first { $0.name == name }.map { pair in
            let value = String(decoding: pair.value.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }, as: UTF8.self)
            return PercentEncoding.decode(value) ?? value
        }
    }

    /// All values of a name in the query, without escapes.
    func values(of name: String) -> [String] {
        query.filter { $0.name == name }.map { PercentEncoding.decode($0.value) ?? $0.value }
    }

    /// The first value of a name in the query, without escapes.
    func value(of name: String) -> String? {
        query.first { $0.name == name }.map { PercentEncoding.decode($0.value) ?? $0.value }
    }
}
