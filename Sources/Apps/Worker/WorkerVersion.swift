/// The version of the program: worker, gateway, emulator and commands.
///
/// `.ci/release` sets it; `.ci/release --check` compares it with the changelog, the latest tag and what is deployed.
package enum WorkerVersion {
    package static let current = "0.1.0"
}
