/// The targets of `Package.swift`, parsed as text: the functions that make targets, and their calls.
struct Manifest {
    struct Target: Equatable {
        var path: String
        /// The other targets that it lists as dependencies.
        var dependencies: Set<String> = []
        var isProgram = false

        /// The layer: `Base` of `Sources/Base/Basics`; `nil` below `Tests`.
        var layer: String? {
            let folders = path.split(separator: "/")
            return folders.first == "Sources" && folders.count > 1 ? String(folders[1]) : nil
        }
    }

    let targets: [String: Target]

    var paths: Set<String> { Set(targets.values.map(\.path)) }

    init(_ source: String) {
        let text = Self.withoutComments(source)
        var targets: [String: Target] = [:]
        // `func base(_ name: String … path: "Sources/Base/\(folder(of: name))"` and the calls `base("NewsflashBasics"`.
        for match in text.matches(of: /func (\w+)\(_ name: String[\s\S]*?path: "([^"\\]*)\\\((?:folder\(of: )?name\)+"/)
        {
            for call in text.matches(of: /(\w+)\(\s*"(\w+)"/) where call.1 == match.1 {
                let arguments = Self.arguments(of: text, from: call.range.upperBound)
                let labelled = arguments.firstRange(of: /(?:pkgConfig|resources):/)?.lowerBound ?? arguments.endIndex
                targets[String(call.2)] = Target(
                    path: match.2 + Self.folder(of: call.2),
                    dependencies: Self.names(in: arguments[..<labelled])
                )
            }
        }
        // Targets that are written out; one without a path is a dependency.
        for call in text.matches(of: /\.(target|executableTarget|systemLibrary)\(\s*name: "([\w-]+)"/) {
            let arguments = Self.arguments(of: text, from: call.range.upperBound)
            guard let path = arguments.firstMatch(of: /path: "([^"\\]+)"/) else { continue }
            let list = arguments.firstMatch(of: /dependencies: \[([^\]]*)\]/)
            targets[String(call.2)] = Target(
                path: String(path.1),
                dependencies: list.map { Self.names(in: $0.1) } ?? [],
                isProgram: call.1 == "executableTarget"
            )
        }
        self.targets = targets
    }

    /// `Basics` for `NewsflashBasics`, `CCurl` for `CNewsflashCurl`.
    static func folder(of name: some StringProtocol) -> String {
        if name.hasPrefix("CNewsflash") { return "C" + name.dropFirst(10) }
        return String(name.hasPrefix("Newsflash") ? name.dropFirst(9) : name[...])
    }

    /// Returns the name of the target in a folder.
    func name(ofPath path: String) -> String? { targets.first { $0.value.path == path }?.key }

    private static func withoutComments(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard let comment = line.firstRange(of: "//") else { return line }
            // Between quotes it is part of a text.
            let before = line[..<comment.lowerBound]
            return before.count { $0 == "\"" }.isMultiple(of: 2) ? before : line
        }.joined(separator: "\n")
    }

    /// Returns the text from an index inside a call to the call's closing parenthesis.
    private static func arguments(of text: String, from start: String.Index) -> Substring {
        var depth = 0
        var isLiteral = false
        let end = text[start...].indices.first { index in
            switch text[index] {
            case "\"": isLiteral.toggle()
            case "(" where !isLiteral: depth += 1
            case ")" where !isLiteral: depth -= 1
            default: break
            }
            return depth < 0
        }
        return text[start..<(end ?? text.endIndex)]
    }

    private static func names(in list: Substring) -> Set<String> {
        Set(list.matches(of: /"([\w-]+)"/).map { String($0.1) })
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
