import FoundationEssentials
import Glibc
import NewsflashBasics
import NewsflashTestSupport

/// A hub with a name and two addresses in a separate network. The first address can drop all packets silently.
///
/// The addresses are in a network namespace, at the other end of a pair of virtual interfaces. A thread there forwards
/// connections to a hub of this process. An address that is removed there accepts and answers no packets, like a
/// firewall that has lost its state. Workers find the name in a separate hosts file. Needs root. Everything ends with
/// the process that holds the namespace.
final class HubNetwork: Sendable {
    struct Failure: Error {
        let what: String
    }

    static let hostName = "hub.newsflash.test"
    private static let addresses = ["198.51.100.11", "198.51.100.12"]

    /// The hosts file of the workers.
    let hosts: String
    private let folder: TemporaryFolder
    private let holder: LeashedProgram
    private let namespace: String
    private let pid: String

    /// Whether this user and this machine can create such a network.
    static var isPossible: Bool {
        geteuid() == 0 && ["unshare", "nsenter", "ip"].allSatisfy { isInstalled($0) || isInstalled("/usr/sbin/\($0)") }
    }

    /// Creates the network. The name has the first address.
    ///
    /// - Throws: `ChildProcess.Failure` if the system refuses.
    init() async throws {
        folder = try TemporaryFolder()
        hosts = try folder.write(Self.hosts(naming: Self.addresses[0]), to: "hosts")
        holder = try await LeashedProgram([
            "/usr/bin/unshare", "--net", "/bin/sh", "-c", "echo ready; exec sleep 86400",
        ])
        _ = try await holder.line(after: "ready")
        let pid = try await holder.lines.wait { $0.first { $0.hasPrefix("pid ") } }.dropFirst(4)
        namespace = "/proc/\(pid)/ns/net"
        self.pid = String(pid)
        let script = """
            set -eu
            # What a run left that was killed.
            for link in /sys/class/net/near*; do
                name=${link##*/}
                if [ -e "$link" ] && [ ! -e "/proc/${name#near}" ]; then ip link del "$name"; fi
            done
            ip link add "near$1" type veth peer name "far$1" netns "$1"
            ip addr add 198.51.100.1/24 dev "near$1"
            ip link set "near$1" up
            far() { nsenter --net="/proc/$pid/ns/net" "$@"; }
            pid=$1
            far ip link set lo up
            for address in \(Self.addresses.joined(separator: " ")); do far ip addr add "$address/32" dev "far$1"; done
            far ip link set "far$1" up
            far ip route add 198.51.100.0/24 dev "far$1"
            # Known for good: nobody is to find out by ARP that an address is gone.
            hardware() { sed -n 's/.* link\\/ether \\([0-9a-f:]*\\) .*/\\1/p'; }
            there=$(far ip -o link show dev "far$1" | hardware)
            here=$(ip -o link show dev "near$1" | hardware)
            for address in \(Self.addresses.joined(separator: " ")); do
                ip neigh replace "$address" lladdr "$there" dev "near$1" nud permanent
            done
            far ip neigh replace 198.51.100.1 lladdr "$here" dev "far$1" nud permanent
            """
        try await Self.run(script, String(pid))
    }

    /// Forwards connections to the name to a port of this machine.
    ///
    /// - Parameter port: The port of the hub.
    /// - Throws: ``Failure`` if the system cannot create a socket.
    func forward(to port: UInt16) async throws {
        let listening = EventLog<Int32>()
        // The socket stays in the network of this thread. Threads started by it would be there too.
        startThread(named: "far-listen") { [namespace] in listening.append(Self.listen(in: namespace, port: port)) }
        let listener = try await listening.atLeast(1)[0]
        guard listener >= 0 else { throw Failure(what: "nothing can listen in the other network") }
        startThread(named: "far-accept") {
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                startThread(named: "far-serve") { Self.serve(client, port) }
            }
        }
    }

    /// Drops all packets to the first address from now on.
    func drop() async throws {
        try await Self.run("nsenter --net=\"/proc/$1/ns/net\" ip addr del \(Self.addresses[0])/32 dev \"far$1\"", pid)
    }

    /// Gives the name the second address.
    func moveName() throws {
        let file = open(hosts, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw Failure(what: "no file of hosts") }
        defer { Glibc.close(file) }
        // One write of the same length, so that readers always get a complete file.
        let text = Array(Self.hosts(naming: Self.addresses[1]).utf8)
        guard pwrite(file, text, text.count, 0) == text.count else {
            throw Failure(what: "the file of hosts is not written")
        }
    }

    /// Deletes the network. Sockets without a process would keep it for minutes.
    func close() async {
        try? await Self.run("ip link del \"near$1\"", pid)
        holder.end()
    }

    private static func hosts(naming address: String) -> String {
        "127.0.0.1 localhost\n\(address) \(hostName)\n"
    }

    private static func run(_ script: String, _ arguments: String...) async throws {
        try await ChildProcess.run(["/bin/sh", "-c", "PATH=\"$PATH:/usr/sbin\"; " + script, "sh"] + arguments)
    }

    // MARK: - Threads

    /// Opens a socket that listens on all addresses of another network. This thread stays in that network.
    private static func listen(in namespace: String, port: UInt16) -> Int32 {
        // Swift's module of glibc does not contain `setns`.
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "setns") else { return -1 }
        let enter = unsafeBitCast(symbol, to: (@convention(c) (Int32, Int32) -> Int32).self)
        let file = open(namespace, O_RDONLY | O_CLOEXEC)
        guard file >= 0, enter(file, 0x4000_0000) == 0 else { return -1 }
        Glibc.close(file)
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let status = withAddress(INADDR_ANY, port) { bind(listener, $0, $1) }
        return status == 0 && Glibc.listen(listener, 512) == 0 ? listener : -1
    }

    private static func serve(_ client: Int32, _ port: UInt16) {
        let hub = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard withAddress(INADDR_LOOPBACK, port, { connect(hub, $0, $1) }) == 0 else {
            Glibc.close(hub)
            Glibc.close(client)
            return
        }
        for socket in [client, hub] {
            var yes: Int32 = 1
            setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        }
        // The sockets stay open until the process ends: the other direction may still use them.
        startThread(named: "far-answer") { copy(from: hub, to: client) }
        copy(from: client, to: hub)
    }

    private static func copy(from source: Int32, to target: Int32) {
        var piece = [UInt8](repeating: 0, count: 65_536)
        copying: while true {
            let count = read(source, &piece, piece.count)
            guard count > 0 else { break }
            var sent = 0
            while sent < count {
                let more = piece[sent..<count].withUnsafeBytes {
                    send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard more > 0 else { break copying }
                sent += more
            }
        }
        shutdown(target, Int32(SHUT_WR))
    }

    private static func withAddress(
        _ address: UInt32,
        _ port: UInt16,
        _ call: (UnsafePointer<sockaddr>?, socklen_t) -> Int32
    ) -> Int32 {
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = address.bigEndian
        place.sin_port = port.bigEndian
        return withUnsafeBytes(of: &place) { bytes in
            call(bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}
