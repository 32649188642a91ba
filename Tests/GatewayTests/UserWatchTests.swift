import Testing

@testable import Gateway

/// Which users are gone, so that their devices are removed.
@Suite(.timeLimit(.minutes(1)))
struct UserWatchTests {
    @Test func `who is gone is former until the devices are removed`() {
        var watch = UserWatch(["anna", "bob", "eve"])
        #expect(watch.look(["anna", "bob", "eve"]) == nil && watch.former.isEmpty)
        #expect(watch.look(["bob"]) == nil)
        #expect(watch.former == ["anna", "eve"])
        #expect(watch.look(["bob"]) == nil && watch.former == ["anna", "eve"])
        watch.isDone("anna")
        #expect(watch.former == ["eve"])
    }

    @Test func `who comes back keeps what is left`() {
        var watch = UserWatch(["anna", "bob"])
        #expect(watch.look(["bob"]) == nil && watch.former == ["anna"])
        #expect(watch.look(["anna", "bob"]) == nil && watch.former.isEmpty)
    }

    @Test func `more than ten and more than half at once are a mistake`() {
        let all = Set((0..<22).map { "user-\($0)" })
        var watch = UserWatch(all)
        #expect(watch.look([]) == 22)
        #expect(watch.former.isEmpty)
        watch = UserWatch(all)
        #expect(watch.look(Set(all.sorted().prefix(11))) == nil)
        #expect(watch.former.count == 11)
        watch = UserWatch(Set(all.sorted().prefix(10)))
        #expect(watch.look([]) == nil && watch.former.count == 10)
    }
}
