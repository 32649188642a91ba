import Dispatch

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A broker in a process of its own, which ends with the pipe this object holds.
final class BrokerProcess: Sendable {
    /// A broker that did not start.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    let bootstrapServers: String
    private let lifeline: Int32

    private init(bootstrapServers: String, lifeline: Int32) {
        self.bootstrapServers = bootstrapServers
        self.lifeline = lifeline
    }

    deinit {
        close(lifeline)
    }

    /// Starts a broker and waits until it serves.
    static func start() async throws -> BrokerProcess {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try blockingStart() })
            }
        }
    }

    private static func blockingStart() throws -> BrokerProcess {
        let script = "\(#filePath)".split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" } + "/kafka-broker.sh"
        let input = try makePipe()
        let output = try makePipe()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.read, 0)
        posix_spawn_file_actions_adddup2(&actions, output.write, 1)
        let words = [script, "\(try freePort())", "\(try freePort())"]
        var arguments = words.map { word in word.withCString { strdup($0) } }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        let status = posix_spawn(&process, script, &actions, nil, &arguments, environ)
        close(input.read)
        close(output.write)
        guard status == 0 else { throw Failure(description: "\(script) cannot be started: \(status)") }
        let line = readLine(from: output.read)
        guard line.hasPrefix("ready ") else { throw Failure(description: "the broker did not start: \(line)") }
        return BrokerProcess(bootstrapServers: String(line.dropFirst(6)), lifeline: input.write)
    }

    /// A pipe no other child inherits, or the broker would outlive us.
    private static func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure(description: "no pipe: \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func readLine(from descriptor: Int32) -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    /// A port that was free a moment ago: a broker and its controller must know theirs beforehand.
    private static func freePort() throws -> UInt16 {
        #if canImport(Glibc)
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let socket = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(socket, pointer, length) == 0 ? getsockname(socket, pointer, &length) : -1
            }
        }
        guard status == 0 else { throw Failure(description: "no free port: \(errno)") }
        return UInt16(bigEndian: address.sin_port)
    }
}
