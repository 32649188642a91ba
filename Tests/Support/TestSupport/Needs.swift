import FoundationEssentials
package import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// Why a test may be skipped. `.ci/known-skips` has each of these reasons; `.ci/test` fails if a test was skipped for another.

extension Trait where Self == ConditionTrait {
    /// Real brokers: the embedded cluster has no security, rights or administration, and does not survive its process.
    package static var needsRealKafka: Self {
        .enabled("needs a real Kafka: set KAFKA_HOME to a Kafka 4 in the official layout, with Java 17 on the PATH") {
            variable("KAFKA_HOME") != nil
        }
    }

    /// The program `openssl`, which makes certificates.
    package static var needsOpenSSL: Self { .needsProgram("openssl") }

    /// The program `nginx`, a server that is not ours.
    package static var needsNginx: Self { .needsProgram("nginx") }

    /// A shell to which scripts are given.
    package static var needsBash: Self { .needsProgram("bash") }

    /// A program that the test starts.
    ///
    /// - Parameter name: As on the `PATH`; it may also be in `/usr/sbin`.
    /// - Returns: The condition.
    package static func needsProgram(_ name: String) -> Self {
        .enabled("needs the program \(name): install it") { isInstalled(name) || isInstalled("/usr/sbin/\(name)") }
    }

    /// IPTC's Media Topics.
    package static var needsMediaTopics: Self {
        .enabled(
            """
            needs IPTC's Media Topics of 2023-10-24 (cv.iptc.org, CC BY 4.0): \
            set NEWSFLASH_SHARED to a folder with data/mediatopics
            """
        ) { SharedData.has("data/mediatopics") }
    }

    /// A test that only costs time: it is run by hand and before a release.
    package static var long: Self {
        .enabled("is long: .ci/long runs it, or set NEWSFLASH_LONG=1") { isLongRun }
    }

    /// The right to stop one thread of a process that the test did not start itself.
    package static var needsHeldThreads: Self {
        .enabled("needs the right to hold threads: run as root, or set kernel.yama.ptrace_scope=0") {
            let scope = (try? String(contentsOfFile: "/proc/sys/kernel/yama/ptrace_scope", encoding: .utf8)) ?? "0"
            return geteuid() == 0 || scope.hasPrefix("0")
        }
    }

    /// A user without the rights of root, who can write every file.
    package static var needsOrdinaryUser: Self {
        .enabled("needs a user who is not root, because root writes everywhere") { geteuid() != 0 }
    }
}

/// Whether tests that only cost time run, and others longer: `NEWSFLASH_LONG`.
package let isLongRun = variable("NEWSFLASH_LONG") != nil
