import NewsflashHubRecordings
import Testing

@Suite("recorded sessions", .timeLimit(.minutes(1)))
struct RecordedSessionTests {
    @Test(
        .needsRecordings,
        arguments: HubSession.names
    )
    func `the emulator answers a recorded session as the service did`(name: String) throws {
        var replay = SessionReplay(try SessionScript(HubSession(named: name)))
        let differences = replay.differences()
        #expect(differences.isEmpty, "\n\(differences.joined(separator: "\n"))")
    }
}
