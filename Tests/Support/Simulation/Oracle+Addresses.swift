extension Oracle {
    /// Checks that a request goes to the hub to which earlier requests of its story under the same label went.
    ///
    /// Two workers that both consider themselves the owner may differ, because both may use a partition without an
    /// owner record.
    func checkAddress(of state: RequestState, _ content: SimRequest.Content) {
        let label = state.request.hub
        let routing = state.process.routing
        let address = routing.address(of: label)
        let isReused = !fleet.routing.replaced.isEmpty || !fleet.routing.otherAddresses.isEmpty
        guard state.beganAsOwner, isReused else { return }
        for (unit, acceptances) in logs[content.story]?.accepted ?? [:] where unit.hasPrefix("\(label)/") {
            for acceptance in acceptances where acceptance.state.beganAsOwner {
                let earlier = acceptance.state.process.routing.address(of: label)
                guard earlier != address, routing.replaced[label]?.contains(earlier) != true else { continue }
                violate(
                    .hubAddress,
                    "\(state.process.name) sends \(content.kind) \(content.event) to \(address), and \(unit) got "
                        + "\(acceptance.act) from \(earlier)"
                )
            }
        }
    }
}
