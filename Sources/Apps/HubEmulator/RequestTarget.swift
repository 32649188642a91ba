import NotificationHubs

/// The target of a request taken apart: path segments without escapes, query names in lower case.
struct RequestTarget {
    /// The host of a target that is a whole URL (the Python sample sends such), else nothing.
    private(set) var host: String?
    /// As sent, without the query.
    let path: String
    /// Without escapes; a slash at the end makes no segment.
    let segments: [String]
    private let query: [(name: String, value: String)]

    init(_ target: String) {
        var rest = Substring(target)
        for scheme in ["http://", "https://"] where rest.lowercased().hasPrefix(scheme) {
            rest = rest.dropFirst(scheme.count)
            let authority = rest.prefix { $0 != "/" && $0 != "?" }
            self.host = String(authority)
            rest = rest[authority.endIndex...]
            break
        }
        let path = rest.prefix { $0 != "?" }
        self.path = String(path)
        self.segments = path.split(separator: "/").map { PercentEncoding.decode($0) ?? String($0) }
        self.query = rest[path.endIndex...].dropFirst().split(separator: "&").map { pair in
            let name = pair.prefix { $0 != "=" }
            let value = pair[name.endIndex...].dropFirst()
            return ((PercentEncoding.decode(name) ?? String(name)).lowercased(), String(value))
        }
    }

    /// Whether the query names a flag: clients write `direct`, `direct=true` and `direct&…`, and all mean it.
    func hasFlag(_ name: String) -> Bool {
        query.contains { $0.name == name }
    }

    /// The first value of a name in the query, without escapes.
    func value(of name: String) -> String? {
        query.first { $0.name == name }.map { PercentEncoding.decode($0.value) ?? $0.value }
    }
}
