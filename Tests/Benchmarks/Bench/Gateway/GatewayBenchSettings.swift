/// The settings of the gateway benchmark.
struct GatewayBenchSettings: Sendable, Equatable {
    /// The number of devices to register.
    var registrations = 20_000
    /// Registrations started per second.
    var rate = 2000
    /// The maximum number of connections to the gateway.
    var inFlight = 64

    /// The first invalid setting; `nil` if all are valid.
    var problem: String? {
        if !(100...1_000_000).contains(registrations) { return "--events must be 100 to 1000000" }
        if !(1...100_000).contains(rate) { return "--rate must be 1 to 100000 per second" }
        if !(1...1024).contains(inFlight) { return "--in-flight must be 1 to 1024" }
        return nil
    }
}
