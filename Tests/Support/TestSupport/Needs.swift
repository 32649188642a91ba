import FoundationEssentials
package import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// The reasons for which a test may be skipped. `.ci/known-skips` contains each of them; `.ci/test` fails if a test was
// skipped for another reason.

extension Trait where Self == ConditionTrait {
    /// Real brokers: the embedded cluster has no security, rights or administration, and does not survive its process.
    package static var needsRealKafka: Self {
        .enabled("needs a real Kafka: set KAFKA_HOME to a Kafka 4 in the official layout, with Java 17 on the PATH") {
            variable("KAFKA_HOME") != nil
        }
    }

    /// The program `openssl`, which makes certificates.
    package static var needsOpenSSL: Self { .needsProgram("openssl") }

    /// The program `nginx`, an independent server.
    package static var needsNginx: Self { .needsProgram("nginx") }

    /// A shell that runs scripts.
    package static var needsBash: Self { .needsProgram("bash") }

    /// A program that the test starts.
    ///
    /// - Parameter name: The program's name; it must be in the `PATH` or in `/usr/sbin`.
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

    /// A test that takes long and is run only by hand and before a release.
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

/// Whether long tests run, and others run longer: `NEWSFLASH_LONG` is set.
package let isLongRun = variable("NEWSFLASH_LONG") != nil
