#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The proxy that connections to an origin are opened through.
struct ProxyRoute: Equatable, CustomStringConvertible {
    let proxy: ProxyURL
    /// The environment variable that contains it; `nil` for the configuration's.
    let variable: String?
    /// Whether the environment excludes hosts; libcurl decides which ones.
    let hasExceptions: Bool

    /// Finds the proxy as libcurl does.
    ///
    /// - Parameters:
    ///   - policy: A transport's policy.
    ///   - isSecure: Whether the origin's scheme is `https`.
    ///   - environment: Returns the value of a variable.
    init?(
        _ policy: ProxyPolicy,
        isSecure: Bool,
        environment: (String) -> String? = { getenv($0).map { String(cString: $0) } }
    ) {
        func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
        let url: String
        switch policy {
        case .none: return nil
        case .url(let configured): (url, variable) = (configured, nil)
        case .environment:
            guard let name = Self.variables(isSecure: isSecure).first(where: { value($0) != nil }) else { return nil }
            (url, variable) = (value(name) ?? "", name)
        }
        guard let proxy = ProxyURL(url) else { return nil }
        self.proxy = proxy
        hasExceptions = value("no_proxy") != nil || value("NO_PROXY") != nil
    }

    /// Returns the variables that may contain a proxy; the first with a value counts. `HTTP_PROXY` is excluded: in a CGI
    /// program it is a header of the client.
    static func variables(isSecure: Bool) -> [String] {
        (isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]) + ["all_proxy", "ALL_PROXY"]
    }

    /// The proxy's host and port with the variable that contains them, for messages.
    var description: String {
        let place = variable.map { " (\($0)\(hasExceptions ? ", unless NO_PROXY names the host" : ""))" } ?? ""
        return "the proxy \(proxy)\(place)"
    }
}
