/// The paths of targets in `Package.swift`, parsed as text: the functions that make targets, and their calls.
struct Manifest {
    /// The paths of all targets.
    let paths: Set<String>

    init(_ text: String) {
        var paths: Set<String> = []
        // `func base(_ name: String … path: "Sources/Base/\(name)"` and the calls `base("Locks"`.
        for match in text.matches(of: /func (\w+)\(_ name: String[\s\S]*?path: "([^"\\]*)\\\(name\)"/) {
            let function = String(match.1)
            for call in text.matches(of: /(\w+)\(\s*"(\w+)"/) where call.1 == function {
                paths.insert(String(match.2) + String(call.2))
            }
        }
        // Targets that are written out.
        for match in text.matches(of: /path: "([^"\\]+)"/) { paths.insert(String(match.1)) }
        self.paths = paths
    }
}

/// Returns the entries that the top level must not have; hidden files and files ignored by git are allowed.
func strangers(among names: [String], gitignore: String) -> [String] {
    let known: Set<String> = ["Package.swift", "README.md", "Sources", "Tests", "deploy", "schemas"]
    let ignored = gitignore.split(separator: "\n").map { $0.drop { $0 == "/" }.prefix { $0 != "/" } }
    return names.filter { name in
        !known.contains(name)
            && !ignored.contains { $0.hasPrefix("*") ? name.hasSuffix($0.dropFirst()) : name == $0 }
    }
}
