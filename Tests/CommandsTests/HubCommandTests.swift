import FoundationEssentials
import NewsflashCertificates
import NewsflashCommandLineArguments
import NewsflashHubEmulator
import NewsflashTestSupport
import NewsflashTimestamps
import NotificationHubs
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct HubCommandTests {
    private func hub(_ arguments: [String]) throws -> HubEmulatorConfiguration {
        try #require(try Newsflash.parseAsRoot(["hub"] + arguments) as? HubCommand).emulated()
    }

    @Test func `without options the hub is a newsroom's hub on port 8080`() throws {
        let configuration = try hub([])
        #expect(configuration.host == "127.0.0.1")
        #expect(configuration.port == 8080)
        #expect(configuration.hubName == "newsroom")
        #expect(configuration.tier == .standard)
        #expect(configuration.rules.isEmpty)
        #expect(configuration.testSendsPerMinute == 10)
        #expect(configuration.requestObserver == nil)
    }

    @Test func `the limit of test sends can be changed or removed`() throws {
        #expect(try hub(["--test-sends", "500"]).testSendsPerMinute == 500)
        #expect(try hub(["--test-sends", "unlimited"]).testSendsPerMinute == nil)
        for wrong in ["-1", "1.5", "many", ""] {
            let error = try #require(throws: UsageError.self) { try hub(["--test-sends=\(wrong)"]) }
            #expect(error.message.contains("a whole number of at least 0, or 'unlimited'"))
        }
    }

    @Test func `all options reach the hub`() throws {
        let configuration = try hub([
            "--listen", "[::1]:0", "--name", "regional", "--rule", "my worker=a=b:c:Send", "--rule", "app=k:listen",
            "--tier", "basic", "--fault", #"{"status":503,"for":"60s"}"#, "--fault",
            #"[{"cut":true},{"outcome":"WrongToken","rate":0.1}]"#, "--seed", "7", "--allow-host", "desk.example",
            "--allow-host", "hub",
        ])
        #expect(configuration.host == "::1")
        #expect(configuration.port == 0)
        #expect(configuration.hubName == "regional")
        #expect(configuration.rules.map(\.name) == ["my worker", "app"])
        #expect(configuration.rules.map(\.key.secretText) == ["a=b:c", "k"])
        #expect(configuration.rules.map(\.claims) == [[.send], [.listen]])
        #expect(configuration.tier == .basic)
        #expect(configuration.faults.count == 2)
        #expect(configuration.deliveryFaults == [DeliveryFault(outcome: "WrongToken", rate: 0.1)])
        #expect(configuration.seed == 7)
        #expect(configuration.allowedHosts == ["desk.example", "hub"])
    }

    @Test func `the token of the console is set by an option and has only characters that need no escape`() throws {
        #expect(try hub([]).consoleToken == nil)
        #expect(try hub(["--console-token", "for-development"]).consoleToken == "for-development")
        for wrong in ["", "short", "a token", "token;token"] {
            let error = try #require(throws: UsageError.self) { try hub(["--console-token=\(wrong)"]) }
            #expect(error.message.contains("'--console-token' takes 8 to 200 letters, digits, - and _."))
        }
    }

    @Test func `HTTPS replaces HTTP or is served besides it`() throws {
        #expect(try hub([]).tls == nil)
        let alone = try hub(["--tls", "--listen", "[::1]:8443", "--tls-name", "Hub.Test", "--data", "kept"])
        #expect(!alone.servesPlainHTTP)
        #expect(alone.tls?.host == "::1")
        #expect(alone.tls?.port == 8443)
        guard case .ownAuthority(let names, let folder)? = alone.tls?.source else { return #expect(Bool(false)) }
        #expect(names.map(\.description) == ["hub.test"])
        #expect(folder == "kept")
        let beside = try hub(["--tls-listen", "127.0.0.1:8443"])
        #expect(beside.servesPlainHTTP)
        #expect(beside.port == 8080)
        #expect(beside.tls?.port == 8443)
    }

    @Test func `a certificate from a file has to exist and to match`() throws {
        let folder = try TemporaryFolder()
        let long = Timestamp(seconds: 1_600_000_000)
        let authority = try CertificateAuthority(now: .now())
        let name = try #require(CertificateName("localhost"))
        let good = try authority.vouch(for: [name], now: .now())
        let old = try CertificateAuthority(now: long).vouch(for: [name], now: long)
        for (file, bytes) in [
            ("good.pem", good.certificate), ("good-key.pem", good.key), ("old.pem", old.certificate),
            ("old-key.pem", old.key), ("empty.pem", []),
        ] {
            #expect(FileManager.default.createFile(atPath: folder.file(file), contents: Data(bytes)))
        }
        let read = try TLSFiles.certificate(folder.file("good.pem"), key: folder.file("good-key.pem"))
        #expect(read.certificate == good.certificate)
        for (certificate, key, reason) in [
            ("good.pem", "old-key.pem", "the key belongs to another certificate; give the key that"),
            ("old.pem", "old-key.pem", "it expired on 2021-10-15; renew it"),
            ("none.pem", "good-key.pem", "none.pem cannot be read: there is no such file"),
            ("good.pem", "none.pem", "none.pem cannot be read: there is no such file"),
            ("empty.pem", "good-key.pem", "it contains no certificate in PEM"),
            ("good.pem", "good.pem", "it contains no private key in PEM without a passphrase"),
        ] {
            let error = try #require(throws: OperationError.self) {
                try TLSFiles.certificate(folder.file(certificate), key: folder.file(key))
            }
            #expect(error.kind == .badConfiguration)
            #expect(error.description.contains(reason), "\(error.description)")
        }
    }

    @Test(arguments: ["kept", nil])
    func `the hub prints how each client can trust it, in lines that fit`(folder: String?) {
        let lines = TLSFiles.advice(url: "https://127.0.0.1:8443", folder: folder).flatMap { $0.split(separator: "\n") }
        let text = lines.joined(separator: "\n")
        for word in [
            "on this machine only", "curl ", "NODE_EXTRA_CA_CERTS=", "SSL_CERT_FILE=", "REQUESTS_CA_BUNDLE=", "keytool",
            "certutil", "simctl", "caFile",
            folder == nil ? "https://127.0.0.1:8443/_emulator/authority" : "kept/authority.pem",
        ] {
            #expect(text.contains(word), "\(word)")
        }
        #expect(lines.allSatisfy { $0.count <= 120 })
    }

    @Test(arguments: [
        (["--listen", "8080"], "is not an address"),
        (["--tls-listen", "8443"], "is not an address"),
        (["--tls-listen", "127.0.0.1:8080"], "needs a port other than that of '--listen'"),
        (["--tls-name", "a"], "goes with '--tls'"),
        (["--tls", "--tls-name", "a:80"], "neither a host name nor an address"),
        (["--tls-certificate", "a.pem"], "go together"),
        (["--tls-key", "a.pem"], "go together"),
        (["--tls-certificate", "a.pem", "--tls-key", "b.pem", "--tls-name", "a"], "yours has its own names"),
        (["--name", "a/b"], "letters, digits"),
        (["--rule", "secretkey"], "'--rule' number 1 cannot be read"),
        (["--rule", "a=k:Send", "--rule", "b=secretkey:Fly"], "'--rule' number 2 cannot be read"),
        (["--rule", "a=k:Send", "--rule", "a=secretkey:Send"], "'--rule' number 2 has the name of another"),
        (["--fault", "{}"], "'--fault' number 1 cannot be read"),
    ])
    func `wrong options are refused without showing a key`(arguments: [String], reason: String) throws {
        let error = try #require(throws: UsageError.self) { try hub(arguments) }
        #expect(error.message.contains(reason))
        #expect(!error.message.contains("secretkey"))
    }
}
