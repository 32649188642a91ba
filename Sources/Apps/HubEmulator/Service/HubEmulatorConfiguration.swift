package import Timestamps

/// How an emulated hub is set up.
package struct HubEmulatorConfiguration: Sendable {
    /// The address to listen on.
    package var host = "127.0.0.1"
    /// The port to listen on; zero takes a free one.
    package var port: UInt16 = 0
    /// Whether it listens there; a hub may speak HTTPS alone.
    package var servesPlainHTTP = true
    /// How it speaks HTTPS, on an address and port of its own; nothing where it does not.
    package var tls: HubTLS?
    /// What else the machine is called in the addresses of browsers that look at the hub's page, without ports; beside
    /// `localhost`, the loopback addresses and ``host``.
    package var allowedHosts: [String] = []
    /// How many clients may be connected at once; fewer where the system allows fewer file descriptors. One more takes the
    /// place of the one that has been idle for longest.
    package var maximumConnections = 20_000
    /// How long a request may take to come.
    package var requestTimeout = Duration.seconds(30)
    /// The name of the one hub; compared without case.
    package var hubName = "newsroom"
    /// Who may do what; a full and a Listen rule with random keys where there is none.
    package var rules: [AccessRule] = []
    /// Decides which operations there are and whether sends have a `Location`.
    package var tier = HubTier.standard
    /// How many test sends are allowed in any minute; nothing for as many as one likes.
    package var testSendsPerMinute: Int? = TestSendLimit.ofTheService
    /// For ids and for faults that strike at random: the same seed and requests give the same answers.
    package var seed: UInt64 = .random(in: .min ... .max)
    /// How many accepted sends are kept for inspection; the oldest go first.
    package var sendsKept = 200_000
    /// How many bytes of sends are kept for inspection; the oldest go first.
    package var bytesKept = 512 << 20
    /// How many deliveries are kept for inspection; the oldest go first.
    package var deliveriesKept = 100_000
    /// How many bytes of what devices got are kept for inspection; the oldest go first.
    package var deliveryBytesKept = 256 << 20
    /// Whether targets are found in the background; else only ``HubEmulator/settle()`` finds them.
    package var fansOutInBackground = true
    /// What goes wrong from the start.
    package var faults: [Fault] = []
    /// What goes wrong with deliveries from the start.
    package var deliveryFaults: [DeliveryFault] = []
    /// Is told each request to the hub, and each to its page and inspection that was refused; on the thread that answers.
    package var requestObserver: (@Sendable (RequestRecord) -> Void)?
    /// Tells the present instant.
    package var clock: @Sendable () -> Timestamp = Timestamp.now

    /// Makes the default configuration.
    package init() {}
}
