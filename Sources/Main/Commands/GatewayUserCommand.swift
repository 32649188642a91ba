import NewsflashCommandLineArguments
import NewsflashGateway
import NewsflashOperations
import NewsflashSigning
import NewsflashWorker

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// `newsflash gateway user`
struct GatewayUserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Add a user of the gateway, change the password of a user, or remove a user.",
        discussion: """
            The password is the first line of the standard input. On a terminal the command asks for it and does not show
            it. The file contains only a salted scrypt hash of the password. A new file is readable by its owner only; an
            existing file keeps its owner, group and mode. A running gateway applies the change within a second.

            A name has 1 to 64 ASCII letters, digits and _ @ # . - characters. Upper and lower case are the same.

            With --remove the user can no longer sign in, and the user's devices are removed from the hub of the
            configuration. They then receive nothing for this user, or for a later user of the same name. The exit code is
            0 only if the hub then has none of these devices. If the hub cannot be reached, the user is still removed from
            the file: run the command again to remove the devices.

            Examples:
              newsflash gateway user --users users anna
              newsflash gateway user --users users --remove anna
              openssl rand -base64 18 | tee password | newsflash gateway user --users users desk
            """
    )

    /// Shorter passwords get a warning, because they can be guessed in spite of the slow hash.
    private static let fewBytes = 8

    @Option(help: ArgumentHelp("The file with the users.", valueName: "file"))
    var users: String

    @Flag(help: "Remove the user and the user's devices.")
    var remove = false

    @OptionGroup var options: ConfigurationOptions

    @Argument(help: ArgumentHelp("The user's name.", valueName: "NAME"))
    var name: String

    func validate() throws {
        _ = try user()
    }

    func run() async throws {
        let user = try user()
        guard !remove else { return try await remove(user) }
        guard let password = Self.readPassword() else {
            throw OperationError(.badData, "no password given: write it as the first line of the standard input")
        }
        guard !password.isEmpty, password.count <= PasswordHash.maximumPasswordBytes else {
            throw OperationError(.badData, "a password must have 1 to \(PasswordHash.maximumPasswordBytes) bytes")
        }
        if password.count < Self.fewBytes {
            StandardError.write("note: a password of less than \(Self.fewBytes) bytes is for tests only")
        }
        let hash: PasswordHash
        do throws(PasswordHashError) {
            hash = try PasswordHash(of: password)
        } catch {
            throw OperationError(.internalError, error.description)
        }
        let wasThere = try set(user, hash)
        StandardError.write("\(users): \(user.name) \(wasThere ? "has the new password" : "added")")
    }

    /// - Returns: Whether the file contained the user before.
    private func set(_ user: GatewayUser, _ hash: PasswordHash?) throws(OperationError) -> Bool {
        do throws(UserFileError) {
            return try UserFile.set(user, hash, in: users)
        } catch {
            throw OperationError(.badConfiguration, "\(users) cannot be used: \(error)")
        }
    }

    /// Removes a user from the file and then from the hub. The file is first, because it must not wait for an unavailable hub.
    private func remove(_ user: GatewayUser) async throws(OperationError) {
        let wasThere = try set(user, nil)
        let state = wasThere ? "removed" : "is not in the file"
        let count: Int
        do throws(OperationError) {
            count = try await removeDevices(of: user)
        } catch {
            throw OperationError(
                error.kind,
                "\(users): \(user.name) \(state), but the hub may still have the devices; run this again: \(error)"
            )
        }
        guard wasThere || count > 0 else {
            throw OperationError(.badData, "\(users): has no user \(user.name), and the hub has no device of that name")
        }
        StandardError.write("\(users): \(user.name) \(state); devices removed: \(count)")
    }

    private func removeDevices(of user: GatewayUser) async throws(OperationError) -> Int {
        let configuration = try options.read().configuration
        let removal: DeviceRemoval
        do throws(GatewayStartError) {
            removal = try DeviceRemoval(configuration)
        } catch {
            throw OperationError(error)
        }
        defer { removal.close() }
        do throws(GatewayRefusal) {
            return try await removal.removeAll(of: user)
        } catch {
            throw OperationError(.unavailable, error.detail ?? error.message)
        }
    }

    private func user() throws(ValidationError) -> GatewayUser {
        guard let user = GatewayUser(name) else {
            throw ValidationError(
                "'\(name)' is not a user name: write 1 to \(GatewayUser.maximumLength) letters, digits and _ @ # . -."
            )
        }
        return user
    }

    /// Reads the first line of the standard input, without its line end; `nil` if it is empty.
    private static func readPassword() -> [UInt8]? {
        let isTerminal = isatty(STDIN_FILENO) == 1
        var before = termios()
        if isTerminal {
            StandardError.write("password:")
            tcgetattr(STDIN_FILENO, &before)
            var silent = before
            silent.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        }
        defer { if isTerminal { tcsetattr(STDIN_FILENO, TCSAFLUSH, &before) } }
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while line.count <= PasswordHash.maximumPasswordBytes + 1 {
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { break }
            guard byte != UInt8(ascii: "\n") else { return line.last == UInt8(ascii: "\r") ? line.dropLast() : line }
            line.append(byte)
        }
        return line.isEmpty ? nil : line
    }
}
