extension Event {
    /// How the requests of an event stand, looked at once for all that is asked of it.
    struct Standing {
        /// How many there are; zero before the event is planned.
        private(set) var count = 0
        /// How many the hub took.
        private(set) var accepted = 0
        /// How many are under way.
        private(set) var inFlight = 0
        /// How many have their end.
        private var settled = 0
        /// Of how many nobody knows whether the hub took them.
        private var unknown = 0

        /// Looks at each request where it lies.
        init(of targets: Span<Target>) {
            count = targets.count
            for index in targets.indices {
                switch targets[index].phase {
                case .ready, .waiting, .resting: break
                case .inFlight: inFlight += 1
                case .settled: settled += 1
                }
                switch targets[index].report.status {
                case .accepted: accepted += 1
                case .unknown: unknown += 1
                case .rejected, .skipped: break
                }
            }
        }

        /// Whether every request has its end.
        var isSettled: Bool { count > 0 && settled == count }

        /// Whether the hub took every request.
        var isAccepted: Bool { count > 0 && accepted == count }

        /// Whether the hub took a request, or may have.
        var mayHaveBeenSent: Bool { accepted > 0 || unknown > 0 }

        /// Whether a request may have been taken though nobody knows.
        var isUncertain: Bool { unknown > 0 || inFlight > 0 }
    }
}
