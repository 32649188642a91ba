#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension ParsableCommand {
    /// Parses a command line, without its program name, with this command as the root of the tree.
    ///
    /// - Parameter arguments: The words after the program's name.
    /// - Returns: The called command, filled and validated, but not run.
    /// - Throws: A ``UsageError`` if the words are invalid, a ``CleanExit`` if help, the version or a completion script is
    ///   requested, and errors of `validate()` other than ``ValidationError``.
    package static func parseAsRoot(_ arguments: [String]) throws -> any ParsableCommand {
        try CommandParser.parse(arguments, root: self).command
    }

    /// Returns the help of a command in this tree, as `--help` prints it.
    package static func helpMessage(for command: (any ParsableCommand.Type)? = nil) -> String {
        let root = CommandPath(root: self)
        return HelpText.text(for: command.flatMap(root.path(to:)) ?? root)
    }

    /// Parses and runs a command line, and returns the exit code.
    ///
    /// - Parameters:
    ///   - arguments: The words after the program's name.
    ///   - output: Receives lines for the standard output: help, version, completion scripts.
    ///   - errors: Receives lines for the standard error.
    /// - Returns: 0, the code of a thrown ``ExitCode`` or ``ExitCoded`` error, 64 for wrong arguments, otherwise 70.
    package static func main(
        _ arguments: [String],
        output: (String) -> Void,
        errors: (String) -> Void
    ) async -> ExitCode {
        var called = CommandPath(root: self)
        do {
            let parsed = try CommandParser.parse(arguments, root: self)
            called = parsed.path
            if var command = parsed.command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                var command = parsed.command
                try command.run()
            }
            return .success
        } catch {
            return finish(with: error, of: called, output, errors)
        }
    }

    /// Runs the command line of this process and exits.
    ///
    /// - Parameter errors: Receives texts for the standard error.
    package static func main(
        errors: (String) -> Void = { DescriptorOutput.write(line: Array($0.utf8), to: STDERR_FILENO) }
    ) async {
        FirstProcess.endAtSignals()
        let arguments = Array(CommandLine.arguments.dropFirst())
        let code = await main(
            arguments,
            output: { DescriptorOutput.write(line: Array($0.utf8), to: STDOUT_FILENO) },
            errors: errors
        )
        exit(code.rawValue)
    }

    private static func finish(
        with error: any Error,
        of called: CommandPath,
        _ output: (String) -> Void,
        _ errors: (String) -> Void
    ) -> ExitCode {
        switch error {
        case CleanExit.message(let text):
            output(text)
            return .success
        case CleanExit.helpRequest(let type):
            let path = type.flatMap { CommandPath(root: self).path(to: $0) } ?? called
            output(HelpText.text(for: path))
            return .success
        case let code as ExitCode:
            return code
        case let error as ValidationError:
            return finish(with: called.usageError(.validation, error.message), of: called, output, errors)
        case let error as UsageError:
            errors("Error: \(error.message)")
            errors("Usage: \(error.usage)")
            errors("See '\(error.command) --help' for more information.")
            return error.exitCode
        default:
            errors("Error: \(error)")
            return (error as? any ExitCoded)?.exitCode ?? .softwareFailure
        }
    }
}

/// Restores default signal handling for the first process of a container, which otherwise ignores unhandled signals.
enum FirstProcess {
    /// Makes terminating signals end the process. Later handlers replace this behaviour.
    ///
    /// - Parameter identifier: The ID of this process; nothing is done unless it is 1.
    static func endAtSignals(identifier: pid_t = getpid()) {
        guard identifier == 1 else { return }
        for number in [SIGHUP, SIGINT, SIGTERM] {
            signal(number) { _exit(128 + $0) }
        }
    }
}

/// Writes to the process's output without buffering; `print` would buffer lines for a pipe.
package enum DescriptorOutput {
    /// Writes a line. Output that nobody reads any more is discarded.
    ///
    /// - Parameters:
    ///   - line: UTF-8 without a line feed.
    ///   - descriptor: The file descriptor, such as `STDOUT_FILENO`.
    package static func write(line: [UInt8], to descriptor: Int32) {
        var rest = (line + [UInt8(ascii: "\n")])[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe systemWrite(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            // A non-blocking descriptor is full, because its reader is slow.
            if count < 0, errno == EAGAIN, waitForRoom(in: descriptor) { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

private func waitForRoom(in descriptor: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while unsafe poll(&waiting, 1, -1) < 0 {
        guard errno == EINTR else { return false }
    }
    return true
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe write(descriptor, bytes.baseAddress, bytes.count)
}
