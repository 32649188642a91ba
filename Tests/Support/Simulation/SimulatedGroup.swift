import NewsflashTimestamps

/// The consumer group, with the owner of each partition. Assignment is cooperative: other partitions do not move.
final class SimulatedGroup {
    private unowned let fleet: FleetSimulation
    private var members: [SimulatedProcess] = []
    private var owners: [SimulatedProcess?]
    /// The number of changes of each partition's owner.
    private var generations: [Int]
    private var revoking: Set<Int> = []
    /// The owners that a step demands, until members change.
    private var wishes: [Int: Int] = [:]

    init(_ fleet: FleetSimulation, partitions: Int) {
        self.fleet = fleet
        owners = Array(repeating: nil, count: partitions)
        generations = Array(repeating: 0, count: partitions)
    }

    func isMember(_ process: SimulatedProcess) -> Bool { members.contains { $0 === process } }

    func owner(of partition: Int) -> SimulatedProcess? { owners[partition] }

    func join(_ process: SimulatedProcess) {
        let delay = fleet.dice.milliseconds(
            100...1200,
            .join,
            UInt64(process.id),
            fleet.elapsed.wholeNanoseconds.magnitude
        )
        fleet.schedule(after: delay) { [self] in
            guard !process.isDead, !process.isStopping, !isMember(process) else { return }
            guard process.isolatedUntil == nil, process.frozenUntil == nil else { return join(process) }
            members.append(process)
            settle()
        }
    }

    func leave(_ process: SimulatedProcess) { remove(process) }

    private func remove(_ process: SimulatedProcess) {
        members.removeAll { $0 === process }
        for partition in owners.indices where owners[partition] === process {
            free(partition)
        }
        wishes = [:]
        settle()
    }

    /// Removes a process without a sign of life for a session.
    func expire(_ process: SimulatedProcess) {
        guard isMember(process) else { return }
        let lost = owners.indices.filter { owners[$0] === process }
        fleet.log("the group takes \(lost) from \(process.name)")
        if !process.isCrashed { fleet.oracle.lost(lost, by: process) }
        remove(process)
        if process.isolatedUntil != nil { process.lose(lost) }
    }

    /// Revokes the partitions of a live worker at once.
    func expel(_ process: SimulatedProcess) {
        guard isMember(process) else { return }
        let lost = owners.indices.filter { owners[$0] === process }
        fleet.log("the group takes \(lost) from \(process.name), which is alive")
        fleet.oracle.lost(lost, by: process)
        remove(process)
        fleet.schedule(after: fleet.dice.milliseconds(5...60, .join, UInt64(process.id), 7)) { [fleet] in
            process.lose(lost)
            if !process.isStopping { fleet.group.join(process) }
        }
    }

    func move(_ partition: Int) {
        guard owners.indices.contains(partition), let owner = owners[partition], members.count > 1 else { return }
        let place = members.firstIndex { $0 === owner } ?? 0
        wishes[partition] = members[(place + 1) % members.count].id
        settle()
    }

    @discardableResult
    func commit(_ offsets: [Int: Int64], of process: SimulatedProcess) -> Bool {
        guard offsets.keys.allSatisfy({ owners[$0] === process }) else { return false }
        for (partition, committed) in offsets {
            let isEarly = fleet.sabotage == .commitEarly && committed < fleet.broker.source[partition].count
            let offset = committed + (isEarly ? 1 : 0)
            fleet.oracle.committed(offset, of: partition)
            fleet.broker.commit(offset, of: partition)
        }
        return true
    }

    // MARK: - Assignment

    private func targets() -> [SimulatedProcess?] {
        guard !members.isEmpty else { return owners.map { _ in nil } }
        var targets = owners.map { owner in owner.flatMap { isMember($0) ? $0 : nil } }
        func load(_ process: SimulatedProcess) -> Int { targets.count { $0 === process } }
        for partition in targets.indices {
            if let wish = wishes[partition], let member = members.first(where: { $0.id == wish }) {
                targets[partition] = member
            }
        }
        for partition in targets.indices where targets[partition] == nil {
            targets[partition] = members.min { (load($0), $0.id) < (load($1), $1.id) }
        }
        while wishes.isEmpty, let most = members.max(by: { (load($0), $0.id) < (load($1), $1.id) }),
            let least = members.min(by: { (load($0), $0.id) < (load($1), $1.id) }), load(most) - load(least) > 1,
            let partition = targets.lastIndex(where: { $0 === most })
        {
            targets[partition] = least
        }
        return targets
    }

    private func settle() {
        for (partition, target) in targets().enumerated() {
            guard let owner = owners[partition] else {
                if let target { assign(partition, to: target) }
                continue
            }
            guard let target, owner !== target, !revoking.contains(partition) else { continue }
            revoke(partition, from: owner)
        }
    }

    private func assign(_ partition: Int, to process: SimulatedProcess) {
        owners[partition] = process
        generations[partition] += 1
        let generation = generations[partition]
        fleet.log("\(process.name) gets partition \(partition)")
        fleet.schedule(after: .milliseconds(30)) { [weak self] in
            process.assign(partition) { self?.generations[partition] == generation }
        }
    }

    private func free(_ partition: Int) {
        owners[partition] = nil
        generations[partition] += 1
        revoking.remove(partition)
    }

    private func revoke(_ partition: Int, from process: SimulatedProcess) {
        revoking.insert(partition)
        fleet.log("\(process.name) has to give partition \(partition) back")
        let generation = generations[partition]
        process.drain([partition]) { [weak self] offsets in
            guard let self, generations[partition] == generation else { return }
            commit(offsets, of: process)
            free(partition)
            settle()
        }
    }
}
