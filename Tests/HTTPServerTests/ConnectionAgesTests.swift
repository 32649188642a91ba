import Testing

@testable import NewsflashHTTPServer

@Suite("The connections that have kept a server waiting longest", .timeLimit(.minutes(1)))
struct ConnectionAgesTests {
    private typealias Ages = ConnectionAges<Int>

    @Test func `connections of a phase are returned from the oldest on`() {
        var ages = Ages()
        let ids = (0..<5).map { ages.open(socket: Int32(10 + $0), now: $0) }
        ages.move(ids[1], to: .receiving, now: 5)
        ages.move(ids[0], to: .receiving, now: 6)
        ages.move(ids[3], to: .answering, now: 7)
        ages.move(ids[2], to: .answering, now: 8)
        ages.move(ids[2], to: .idle, now: 9)
        #expect(ages.count == 5)
        #expect((0..<3).map { _ in ages.dismissOldest(.idle) } == [14, 12, nil])
        #expect((0..<3).map { _ in ages.dismissOldest(.receiving) } == [11, 10, nil])
        #expect(ages.count == 1)
    }

    @Test func `a check looks at the oldest connection only`() {
        var ages = Ages()
        for now in [5, 7] { _ = ages.open(socket: Int32(now), now: now) }
        #expect(ages.dismissOldest(.idle) { $0 < 5 } == nil)
        #expect(ages.dismissOldest(.idle) { $0 < 6 } == 5)
        #expect(ages.dismissOldest(.idle) { $0 < 6 } == nil)
        #expect(ages.dismissOldest(.idle) == 7)
    }

    @Test func `no connection is dismissed twice, also if a request goes on meanwhile`() {
        var ages = Ages()
        let id = ages.open(socket: 3, now: 0)
        #expect(ages.dismissOldest(.idle) == 3)
        ages.move(id, to: .receiving, now: 1)
        ages.move(id, to: .idle, now: 2)
        #expect(ages.dismissOldest(.receiving) == nil)
        #expect(ages.dismissOldest(.idle) == nil)
        ages.close(id)
        #expect(ages.count == 0)
    }

    @Test func `the number of a closed connection is given to the next`() {
        var ages = Ages()
        let ids = (0..<3).map { ages.open(socket: Int32($0), now: $0) }
        ages.close(ids[1])
        #expect(ages.open(socket: 9, now: 4) == ids[1])
        #expect((0..<4).map { _ in ages.dismissOldest(.idle) } == [0, 2, 9, nil])
    }

    @Test func `the order is kept through a long life`() {
        var ages = Ages()
        var model: [(id: Ages.ID, socket: Int32)] = []
        var generator = SystemRandomNumberGenerator()
        for now in 0..<5000 {
            switch Int.random(in: 0..<4, using: &generator) {
            case 0 where !model.isEmpty:
                ages.close(model.remove(at: Int.random(in: model.indices, using: &generator)).id)
            case 1 where !model.isEmpty:
                let moved = model.remove(at: Int.random(in: model.indices, using: &generator))
                ages.move(moved.id, to: .answering, now: now)
                ages.move(moved.id, to: .idle, now: now)
                model.append(moved)
            default: model.append((ages.open(socket: Int32(now), now: now), Int32(now)))
            }
        }
        #expect(ages.count == model.count)
        #expect(model.map { _ in ages.dismissOldest(.idle) } == model.map(\.socket))
    }
}
