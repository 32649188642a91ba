/// A script that completes the names of subcommands and options in one shell.
///
/// Each finds the called command by walking the words before the cursor along the paths of the tree.
enum CompletionScript: String, CaseIterable {
    case bash, zsh, fish

    /// The script for the whole tree; hidden commands and options are left out.
    func text(for root: CommandPath) -> String {
        switch self {
        case .bash: bash(root)
        case .zsh: zsh(root)
        case .fish: fish(root)
        }
    }

    private func bash(_ root: CommandPath) -> String {
        let program = root.last.name
        let candidates = root.visibleTree.map { path in
            "        \"\(path.name)\") candidates=\"\(names(path).map(\.name).joined(separator: " "))\" ;;"
        }
        return """
            _\(program)() {
                local current="${COMP_WORDS[COMP_CWORD]}" called="\(program)" candidates="" word
                for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
                    case "$called $word" in
                        \(pathPatterns(root, separator: "|"))) called="$called $word" ;;
                    esac
                done
                case "$called" in
            \(candidates.joined(separator: "\n"))
                esac
                COMPREPLY=($(compgen -W "$candidates" -- "$current"))
            }
            complete -o bashdefault -o default -F _\(program) \(program)
            """
    }

    private func zsh(_ root: CommandPath) -> String {
        let program = root.last.name
        let candidates = root.visibleTree.map { path in
            let words = names(path).map { quoted($0.help.isEmpty ? $0.name : "\($0.name):\($0.help)", escape: "'\\''") }
            return "        \"\(path.name)\") candidates=(\(words.joined(separator: " "))) ;;"
        }
        return """
            #compdef \(program)
            _\(program)() {
                local called="\(program)" word
                local -a candidates
                for word in "${(@)words[2,CURRENT-1]}"; do
                    case "$called $word" in
                        \(pathPatterns(root, separator: "|"))) called="$called $word" ;;
                    esac
                done
                case "$called" in
            \(candidates.joined(separator: "\n"))
                esac
                _describe '\(program)' candidates
                _files
            }
            if [ "$funcstack[1]" = "_\(program)" ]; then
                _\(program) "$@"
            else
                compdef _\(program) \(program)
            fi
            """
    }

    private func fish(_ root: CommandPath) -> String {
        let program = root.last.name
        let lines = root.visibleTree.flatMap { path -> [String] in
            let start = "complete -c \(program) -n '__\(program)_called \(path.name)'"
            let subcommands = path.visibleChildren.map { child in
                "\(start) -f -a \(child.last.name) -d \(quoted(child.last.configuration.abstract, escape: "\\'"))"
            }
            let options = options(of: path).map { input in
                let names = input.names.map { $0.hasPrefix("--") ? " -l \($0.dropFirst(2))" : " -s \($0.dropFirst())" }
                let values = input.allowedValues.isEmpty ? "" : " -f -a '\(input.allowedValues.joined(separator: " "))'"
                let value = input.kind == .option ? " -r" + values : ""
                return start + names.joined() + value + " -d " + quoted(input.help.abstract, escape: "\\'")
            }
            return subcommands + options
        }
        return """
            function __\(program)_called
                set -l called \(program)
                for word in (commandline -opc)
                    switch "$called $word"
                        case \(pathPatterns(root, separator: " "))
                            set called "$called $word"
                    end
                end
                test "$called" = "$argv"
            end
            \(lines.joined(separator: "\n"))
            """
    }

    /// The subcommand paths as quoted patterns of a `case`; a program without subcommands matches nothing.
    private func pathPatterns(_ root: CommandPath, separator: String) -> String {
        let names = root.visibleTree.dropFirst().map { "\"\($0.name)\"" }
        return names.isEmpty ? "\"\"" : names.joined(separator: separator)
    }

    private func options(of path: CommandPath) -> [Input] {
        path.inputs.filter { $0.kind != .argument && $0.isVisible } + path.shownBuiltIns
    }

    private func names(_ path: CommandPath) -> [(name: String, help: String)] {
        path.visibleChildren.map { ($0.last.name, $0.last.configuration.abstract) }
            + options(of: path).flatMap { input in input.names.map { ($0, input.help.abstract) } }
    }

    private func quoted(_ text: String, escape: String) -> String {
        "'" + text.map { $0 == "'" ? escape : String($0) }.joined() + "'"
    }
}
