/// A shell with a script that completes subcommands, options and their values.
enum CompletionShell: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// For bash.
    case bash
    /// For zsh.
    case zsh
    /// For fish.
    case fish
}

/// A script that completes subcommands and options in one shell, and values if they can be listed.
///
/// Each script finds the called command by following the words before the cursor through the tree.
struct CompletionScript {
    let shell: CompletionShell

    /// Returns the script for the whole tree, without hidden commands and options.
    func text(for root: CommandPath) -> String {
        switch shell {
        case .bash: bash(root)
        case .zsh: zsh(root)
        case .fish: fish(root)
        }
    }

    private func bash(_ root: CommandPath) -> String {
        let program = root.last.name
        let candidates = root.visibleTree.map { path in
            let words = names(path).map(\.name) + values(ofArguments: path)
            return "        \"\(path.name)\") candidates=\"\(words.joined(separator: " "))\" ;;"
        }
        return """
            _\(program)() {
                local current="${COMP_WORDS[COMP_CWORD]}" called="\(program)" candidates="" word
                local before="${COMP_WORDS[COMP_CWORD-1]}"
                for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
                    case "$called $word" in
                        \(pathPatterns(root, separator: "|"))) called="$called $word" ;;
                    esac
                done
                case "$called" in
            \(candidates.joined(separator: "\n"))
                esac
                # --option=value comes as three words.
                [ "$before" = "=" ] && before="${COMP_WORDS[COMP_CWORD-2]}"
                [ "$current" = "=" ] && current=""
                case "$called $before" in
            \(valueCases(root) { values in values.isEmpty ? "candidates=\"\"" : "candidates=\"\(values.joined(separator: " "))\"" })
                esac
                COMPREPLY=($(compgen -W "$candidates" -- "$current"))
            }
            complete -o bashdefault -o default -F _\(program) \(program)
            """
    }

    private func zsh(_ root: CommandPath) -> String {
        let program = root.last.name
        let candidates = root.visibleTree.map { path in
            let described = names(path).map { $0.help.isEmpty ? $0.name : "\($0.name):\($0.help)" }
            let words = (described + values(ofArguments: path)).map { quoted($0, escape: "'\\''") }
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
                case "$called ${words[CURRENT-1]}" in
            \(valueCases(root) { values in values.isEmpty ? "candidates=()" : "candidates=(\(values.joined(separator: " ")))" })
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
            let values = values(ofArguments: path)
            return subcommands + options + (values.isEmpty ? [] : ["\(start) -f -a '\(values.joined(separator: " "))'"])
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

    /// Returns the subcommand paths as quoted patterns of a `case`; without subcommands, a pattern that matches nothing.
    private func pathPatterns(_ root: CommandPath, separator: String) -> String {
        let names = root.visibleTree.dropFirst().map { "\"\($0.name)\"" }
        return names.isEmpty ? "\"\"" : names.joined(separator: separator)
    }

    /// Returns the `case` branches of options with a value. If the values cannot be listed, only files are completed.
    private func valueCases(_ root: CommandPath, _ assignment: (_ values: [String]) -> String) -> String {
        let cases = root.visibleTree.flatMap { path in
            options(of: path).filter { $0.kind == .option }.map { input in
                let patterns = input.names.map { "\"\(path.name) \($0)\"" }.joined(separator: "|")
                return "        \(patterns)) \(assignment(input.allowedValues)) ;;"
            }
        }
        return cases.joined(separator: "\n")
    }

    /// Returns the values of positional arguments, if they can be listed.
    private func values(ofArguments path: CommandPath) -> [String] {
        path.inputs.filter { $0.kind == .argument && $0.isVisible }.flatMap(\.allowedValues)
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
