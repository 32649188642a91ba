import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FaultTests {
    @Test func `a fault with a duration answers 503 until the duration is over`() throws {
        let clock = SetClock()
        let desk = try Desk { $0.clock = clock.read }
        let response = desk.inspect("PUT", "faults", body: #"{"status":503,"for":"120s"}"#)
        #expect(response.status == 200)
        #expect(response.text == #"[{"status":503,"for":"2m"}]"#)
        #expect(desk.post().status == 503)
        clock.set(Desk.now + .seconds(119))
        #expect(desk.post().status == 503)
        clock.set(Desk.now + .seconds(120))
        #expect(desk.post(headers: [.init("Authorization", desk.token(life: 600))]).status == 201)
        #expect(desk.inspect("GET", "faults").text == "[]")
        #expect(desk.hub.stats.faults == 2)
        #expect(desk.hub.stats.byStatus == [503: 2, 201: 1])
    }

    @Test(
        arguments: [
            (Fault(status: 429, retryAfter: .seconds(7)), HubReply.Verdict.throttled(after: .seconds(7))),
            (Fault(status: 429, retryAfter: .date(secondsAhead: 9)), .throttled(after: .seconds(9))),
            (Fault(status: 403, retryAfter: .seconds(0)), .throttled(after: .zero)),
            (Fault(status: 403), .forbidden), (Fault(status: 401), .unauthorized), (Fault(status: 404), .notFound),
            (Fault(status: 400), .refused), (Fault(status: 500), .unavailable),
        ])
    func `a fault sets the answer, and a client understands it`(fault: Fault, verdict: HubReply.Verdict) throws {
        let desk = try Desk()
        desk.hub.setFault(fault)
        let reply = HubClient.reply(to: .success(desk.post()), now: Desk.now)
        #expect(reply.verdict == verdict)
        #expect(desk.hub.sends.isEmpty)
        desk.hub.setFault(nil)
        #expect(desk.post().status == 201)
    }

    @Test func `a fault with a count applies that many times`() throws {
        let desk = try Desk()
        desk.hub.setFault(Fault(status: 500, remaining: 2))
        #expect((0..<4).map { _ in desk.post().status } == [500, 500, 201, 201])
    }

    @Test func `a fault with a marker refuses only payloads that contain it`() throws {
        let desk = try Desk()
        desk.hub.setFault(Fault(status: 400, containing: "POISON"))
        #expect(desk.post(body: #"{"a":"x POISON"}"#).status == 400)
        #expect(desk.post(body: #"{"a":"POISO"}"#).status == 201)
    }

    @Test func `a fault may accept a send and still answer with an error`() throws {
        let desk = try Desk()
        desk.hub.setFault(Fault(status: 504, isAccepted: true))
        #expect(desk.post().status == 504)
        #expect(desk.hub.sends.count == 1)
        #expect(desk.hub.stats.accepted == 1)
    }

    @Test(
        arguments: [
            (#"{"cut":true}"#, Fault.Cut.before, 0), (#"{"cut":true,"accepted":true}"#, .after, 1),
            (#"{"accepted":true,"cut":true}"#, .after, 1), (#"{"cut":"before"}"#, .before, 0),
            (#"{"cut":"after"}"#, .after, 1), (#"{"cut":"middle"}"#, .middle, 1),
        ])
    func `a fault cuts the connection before or after the send is accepted`(text: String, cut: Fault.Cut, sends: Int)
        throws
    {
        let desk = try Desk()
        #expect(desk.inspect("PUT", "faults", body: text).status == 200)
        let answer = desk.hub.answer(desk.request())
        #expect(answer.cut == cut)
        #expect(answer.response.status == (cut == .before ? 500 : 201))
        #expect(desk.hub.sends.count == sends)
        #expect(desk.hub.stats.byStatus.isEmpty)
        #expect(desk.hub.stats.faults == 1)
    }

    @Test func `a fault accepts a send, waits and cuts the connection`() throws {
        let desk = try Desk()
        #expect(desk.inspect("PUT", "faults", body: #"{"cut":"after","latency":"3s"}"#).status == 200)
        let answer = desk.hub.answer(desk.request())
        #expect(answer.cut == .after)
        #expect(answer.delay == .seconds(3))
        #expect(desk.hub.sends.count == 1)
    }

    @Test(
        arguments: zip(
            ["signature", "expired", "missing", "malformed", "audience"],
            [
                "InvalidSignature: The token has an", "ExpiredToken: .", "MissingToken: ", "MalformedToken: ",
                "InvalidAudience: ",
            ]
        )
    )
    func `a fault refuses tokens with the text of each kind of error`(error: String, text: String) throws {
        let desk = try Desk()
        #expect(desk.inspect("PUT", "faults", body: #"{"error":"\#(error)"}"#).status == 200)
        let response = desk.post()
        #expect(response.status == 401)
        #expect(response.text.hasPrefix("<Error><Code>401</Code><Detail>" + text))
    }

    @Test func `the random choices of a fault follow from the seed`() throws {
        func struck(seed: UInt64) throws -> [Int] {
            let desk = try Desk { $0.seed = seed }
            desk.hub.setFault(Fault(status: 503, rate: 0.25))
            return (0..<400).map { _ in desk.post().status }
        }
        let first = try struck(seed: 1)
        #expect(try struck(seed: 1) == first)
        #expect(try struck(seed: 2) != first)
        #expect((60...140).contains(first.count { $0 == 503 }))
    }

    @Test func `a fault applies to the same requests, also if others come between`() throws {
        func struck(inspecting: Bool) throws -> [EmulatedAnswer] {
            let desk = try Desk()
            let faults =
                #"[{"latency":{"p50":"20ms","p99":"400ms"},"rate":0.5},{"status":503,"rate":0.1},{"cut":"after","rate":0.1}]"#
            #expect(desk.inspect("PUT", "faults", body: faults).status == 200)
            return (0..<200).map { _ in
                if inspecting { must(desk.inspect("GET", "stats")) }
                return desk.hub.answer(desk.request())
            }
        }
        let first = try struck(inspecting: false)
        #expect(try struck(inspecting: true) == first)
        #expect(Set(first.map(\.response.status)) == [201, 503])
        #expect(Set(first.map(\.cut)) == [nil, .after])
        #expect(Set(first.map(\.delay)).count > 50)
    }

    @Test func `the latencies of several faults are added`() throws {
        let desk = try Desk()
        desk.hub.setFaults([Fault(latency: .milliseconds(5)), Fault(status: 503, latency: .seconds(1), remaining: 1)])
        let request = EmulatedRequest(method: "POST", target: "/Breaking-News/messages")
        #expect(desk.hub.answer(request).delay == .milliseconds(1005))
        #expect(desk.hub.answer(request).delay == .milliseconds(5))
    }

    @Test func `a fault does not apply to the inspection pages`() throws {
        let desk = try Desk()
        desk.hub.setFault(Fault(status: 503))
        #expect(desk.inspect("GET", "stats").status == 200)
        #expect(desk.inspect("DELETE", "faults").status == 204)
        #expect(desk.post().status == 201)
    }
}
