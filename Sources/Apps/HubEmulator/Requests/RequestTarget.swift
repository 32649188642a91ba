import NotificationHubs

/// A parsed request target: path segments are decoded, query names are in lower case.
struct RequestTarget {
    /// The host if the target is an absolute URL (as sent by the Python sample), otherwise `nil`.
    private(set) var host: String?
    /// The path as sent, without the query.
    let path: String
    /// The decoded path segments; a trailing slash adds none.
    let segments: [String]
    /// The query as sent, without the question mark; empty if there is none.
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

    /// Whether the query contains a flag. Clients write `direct`, `direct=true` and `direct&…`, all with the same meaning.
    func hasFlag(_ name: String) -> Bool {
        query.contains { $0.name == name }
    }

    /// The first value of a query parameter, with a plus for a space as in forms; .NET and Java encode filters this way.
    func formValue(of name: String) -> String? {
        query.first { $0.name == name }.map { pair in
            let value = String(decoding: pair.value.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }, as: UTF8.self)
            return PercentEncoding.decode(value) ?? value
        }
    }

    /// All decoded values of a query parameter.
    func values(of name: String) -> [String] {
        query.filter { $0.name == name }.map { PercentEncoding.decode($0.value) ?? $0.value }
    }

    /// The first decoded value of a query parameter.
    func value(of name: String) -> String? {
        query.first { $0.name == name }.map { PercentEncoding.decode($0.value) ?? $0.value }
    }
}
