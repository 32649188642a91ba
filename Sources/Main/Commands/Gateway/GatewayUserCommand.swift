import CommandLineArguments
import Gateway
import Signing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// `newsflash gateway user`
struct GatewayUserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Add a user of the gateway, give one another password, or remove one.",
        discussion: """
            The password is the first line of the standard input; on a terminal it is asked for and not shown. Of it only a
            salted hash is kept that is slow to compute (scrypt). The file is made if there is none, and only its owner may
            read it; one that is there keeps its owner, group and mode. A gateway that runs takes the change over within a
            second.

            A name has 1 to 64 letters, digits and _ @ # . - of ASCII; case does not count. With --remove the user can sign
            in no more. The devices stay registered: remove them at the hub if they must fall silent.

            Examples:
              newsflash gateway user --users users anna
              newsflash gateway user --users users --remove anna
              openssl rand -base64 18 | tee password | newsflash gateway user --users users desk
            """
    )

    /// A shorter password is guessed, however slow its hash.
    private static let fewBytes = 8

    @Option(help: ArgumentHelp("The file of users.", valueName: "file"))
    var users: String

    @Flag(help: "Remove the user.")
    var remove = false

    @Argument(help: ArgumentHelp("The user's name.", valueName: "NAME"))
    var name: String

    func validate() throws {
        _ = try user()
    }

    func run() async throws {
        let user = try user()
        guard !remove else { return try set(user, nil) }
        guard let password = Self.readPassword() else {
            throw CommandError(.badData, "there is no password: write it as the first line of the standard input")
        }
        guard !password.isEmpty, password.count <= PasswordHash.maximumPasswordBytes else {
            throw CommandError(.badData, "a password has 1 to \(PasswordHash.maximumPasswordBytes) bytes")
        }
        if password.count < Self.fewBytes {
            StandardError.write("note: a password of less than \(Self.fewBytes) bytes is for trying things out only")
        }
        let hash: PasswordHash
        do throws(PasswordHashError) {
            hash = try PasswordHash(of: password)
        } catch {
            throw CommandError(.internalError, error.description)
        }
        try set(user, hash)
    }

    private func set(_ user: GatewayUser, _ hash: PasswordHash?) throws(CommandError) {
        let wasThere: Bool
        do throws(UserFileError) {
            wasThere = try UserFile.set(user, hash, in: users)
        } catch {
            throw CommandError(.badConfiguration, "\(users) cannot be used: \(error)")
        }
        guard hash != nil || wasThere else { throw CommandError(.badData, "\(users): has no user \(user.name)") }
        let done = hash == nil ? "removed" : wasThere ? "has the new password" : "added"
        StandardError.write("\(users): \(user.name) \(done)")
    }

    private func user() throws(ValidationError) -> GatewayUser {
        guard let user = GatewayUser(name) else {
            throw ValidationError(
                "'\(name)' is no user's name: it has 1 to \(GatewayUser.maximumLength) letters, digits and _ @ # . -."
            )
        }
        return user
    }

    /// The first line of the standard input, without its end.
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
