/// What is to be measured of a gateway.
struct GatewayBenchSettings: Sendable, Equatable {
    /// How many devices register.
    var registrations = 20_000
    /// How many begin a second.
    var rate = 2000
    /// How many connections there are to the gateway.
    var inFlight = 64

    /// What makes no sense; `nil` where all is well.
    var problem: String? {
        if !(100...1_000_000).contains(registrations) { return "--events must be 100 to 1000000" }
        if !(1...100_000).contains(rate) { return "--rate must be 1 to 100000 a second" }
        if !(1...1024).contains(inFlight) { return "--in-flight must be 1 to 1024" }
        return nil
    }
}
