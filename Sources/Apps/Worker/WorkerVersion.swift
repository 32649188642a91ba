/// The version of the program: worker, gateway, emulator and commands.
///
/// `Tests/ArchitectureTests/VersionTests.swift` compares it with the changelog and with what is deployed.
package enum WorkerVersion {
    package static let current = "0.1.0"
}
