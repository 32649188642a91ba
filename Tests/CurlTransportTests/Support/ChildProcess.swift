import Glibc

/// A program that runs beside a test.
final class ChildProcess {
    struct Failure: Error {
        let program: String
    }

    private let process: pid_t
    private let output: Int32

    /// Whether a program is installed.
    static func isInstalled(_ program: String) -> Bool {
        access(program, X_OK) == 0
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: Its path.
    ///   - arguments: Without the program's own name.
    ///   - environment: Lines such as `A=1`, and nothing else.
    ///   - listener: A socket that the program finds as descriptor 3.
    /// - Throws: ``Failure`` when the program cannot be started.
    init(_ program: String, _ arguments: [String], environment: [String] = [], listener: Int32? = nil) throws {
        var pipe: [Int32] = [0, 0]
        guard Glibc.pipe(&pipe) == 0 else { throw Failure(program: program) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, pipe[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        if let listener { posix_spawn_file_actions_adddup2(&actions, listener, 3) }
        // Sockets of tests beside this one must not live on in the program: their peers would wait for their end.
        Self.closeAll(from: listener == nil ? 3 : 4, &actions)
        // Threads of the test library block signals, and so would the program, SIGTERM too.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var process = pid_t()
        let status = Self.withCStrings([program] + arguments) { arguments in
            Self.withCStrings(environment) { posix_spawn(&process, program, &actions, &attributes, arguments, $0) }
        }
        close(pipe[1])
        guard status == 0 else {
            close(pipe[0])
            throw Failure(program: program)
        }
        self.process = process
        self.output = pipe[0]
    }

    /// Runs a program to its end, which must be a good one.
    static func run(_ program: String, _ arguments: [String]) throws {
        let child = try ChildProcess(program, arguments)
        var status: Int32 = 0
        while child.readLine() != nil {}
        close(child.output)
        waitpid(child.process, &status, 0)
        guard status == 0 else { throw Failure(program: program) }
    }

    /// The next line of what the program prints; `nil` at its end.
    func readLine() -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(output, &byte, 1) == 1 {
            guard byte != UInt8(ascii: "\n") else { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    /// Asks the program to end and waits for it.
    func stop() {
        kill(process, SIGTERM)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        close(output)
    }

    private static func closeAll(from descriptor: Int32, _ actions: inout posix_spawn_file_actions_t) {
        // An extension of the C library that its header hides without _GNU_SOURCE.
        typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
        guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
        _ = unsafeBitCast(symbol, to: CloseFrom.self)(&actions, descriptor)
    }

    private static func withCStrings<Result>(
        _ strings: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return body(copies)
    }
}
