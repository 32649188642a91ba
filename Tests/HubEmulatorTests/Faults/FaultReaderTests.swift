import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashTimestamps
import Testing

@Suite("Faults as JSON", .timeLimit(.minutes(1)))
struct FaultReaderTests {
    @Test func `faults with the old members are read and written back`() throws {
        let text =
            #"[{"status":429,"retryAfter":{"date":5},"latency":"250ms","accepted":true,"containing":"x","#
            + #""rate":0.5,"count":3,"for":"1m"},{"latency":"1s"},{"cut":"before"},{"status":403,"retryAfter":0}]"#
        let faults = try FaultReader.read(Array(text.utf8))
        #expect(
            faults.requests == [
                Fault(
                    status: 429,
                    retryAfter: .date(secondsAhead: 5),
                    latency: .milliseconds(250),
                    isAccepted: true,
                    containing: "x",
                    rate: 0.5,
                    remaining: 3,
                    lasting: .seconds(60)
                ), Fault(latency: .seconds(1)), Fault(isCut: true), Fault(status: 403, retryAfter: .seconds(0)),
            ]
        )
        #expect(try Desk().inspect("PUT", "faults", body: text).text == text)
    }

    @Test(arguments: [
        #"{"status":401,"error":"expired"}"#, #"{"cut":"before"}"#, #"{"cut":"after","latency":"20ms"}"#,
        #"{"cut":"middle","count":2}"#, #"{"latency":{"p50":"20ms","p99":"400ms"}}"#,
        #"{"status":429,"retryAfter":1,"throttle":50}"#, #"{"throttle":0.5}"#,
        #"{"status":503,"operations":["installation","registration","send"]}"#,
        #"{"status":503,"requests":["POST /newsroom/messages","/newsroom/registrations/"]}"#,
        #"{"status":503,"after":"30s","for":"1m","every":"10m"}"#,
        #"{"outcome":"WrongToken","rate":0.1,"platform":"apns","handle":"00fc"}"#, #"{"outcome":"NotFound"}"#,
    ])
    func `every fault is written as it was read`(text: String) throws {
        let desk = try Desk()
        #expect(desk.inspect("PUT", "faults", body: text).text == "[\(text)]")
        #expect(desk.inspect("GET", "faults").text == "[\(text)]")
        #expect(desk.inspect("DELETE", "faults").status == 204)
        #expect(desk.inspect("GET", "faults").text == "[]")
    }

    @Test func `faults of requests and of deliveries are distinguished`() throws {
        let text = #"[{"outcome":"BadChannel"},{"status":503},{"outcome":"Success","handle":"h"}]"#
        let faults = try FaultReader.read(Array(text.utf8))
        #expect(faults.requests == [Fault(status: 503)])
        #expect(
            faults.deliveries == [DeliveryFault(outcome: "BadChannel"), DeliveryFault(outcome: "Success", handle: "h")]
        )
    }

    @Test func `at most a thousand faults with a hundred places each are accepted`() throws {
        func fault(places: Int) -> String {
            #"{"status":503,"requests":["# + Array(repeating: #""/a""#, count: places).joined(separator: ",") + "]}"
        }
        func read(_ text: String) throws -> Int { try FaultReader.read(Array(text.utf8)).requests.count }
        let thousand = Array(repeating: fault(places: 1), count: 1000).joined(separator: ",")
        #expect(try read("[\(thousand)]") == 1000)
        let problem = #expect(throws: FaultReader.Problem.self) { try read("[\(thousand),\(fault(places: 1))]") }
        #expect(problem?.description == "more than 1000 faults")
        #expect(try read(fault(places: 100)) == 1)
        #expect(throws: FaultReader.Problem.self) { try read(fault(places: 101)) }
    }

    @Test(arguments: wrong)
    func `an invalid fault is refused with a reason, and the old faults stay`(text: String, problem: String) throws {
        let desk = try Desk()
        desk.hub.setFault(Fault(status: 500))
        let response = desk.inspect("PUT", "faults", body: text)
        #expect(response.status == 400)
        #expect(response.text.contains(problem), "\(response.text)")
        #expect(desk.post().status == 500)
    }
}

private let wrong = [
    ("", "not JSON"), ("1", "a fault must be a JSON object"), ("{}", "a fault needs one of the members status"),
    (#"{"status":99}"#, "the member status is invalid; allowed: a whole number from 200 to 599"),
    (#"{"status":"503"}"#, "member status"), (#"{"status":503.5}"#, "member status"),
    (#"{"status":503,"for":"1d"}"#, "member for is invalid; allowed: a duration above 0"),
    (#"{"status":503,"for":0}"#, "member for"), (#"{"status":503,"for":"99999999h"}"#, "member for"),
    (#"{"stat":503}"#, "unknown member stat; allowed: status, error, retryAfter, cut"),
    (#"{"status":503,"rate":2}"#, "member rate is invalid; allowed: a number from 0 to 1"),
    (#"{"status":503,"rate":-0.1}"#, "member rate"), (#"{"status":503,"count":0}"#, "member count"),
    (#"{"latency":-1}"#, "member latency"), (#"{"latency":{"p50":"20ms"}}"#, "member latency"),
    (#"{"latency":{"p50":"20ms","p99":"10ms"}}"#, "member latency"),
    (#"{"latency":{"p50":0,"p99":"10ms"}}"#, "member latency"),
    (#"{"latency":{"p50":1,"p99":2,"p90":1}}"#, "member latency"),
    (#"{"latency":0}"#, "a fault needs one of the members"),
    (#"{"status":503,"containing":""}"#, "member containing"),
    (#"{"status":503,"retryAfter":"soon"}"#, "member retryAfter"),
    (#"{"status":503,"retryAfter":{"date":1,"x":2}}"#, "member retryAfter"),
    (#"{"latency":1,"retryAfter":1}"#, "the member retryAfter requires a status"),
    (#"{"latency":1,"accepted":true}"#, "the member accepted requires a status or a cut"),
    (#"{"status":401,"error":"late"}"#, "member error is invalid; allowed: signature, expired, missing"),
    (#"{"status":403,"error":"expired"}"#, "the member error requires the status 401"),
    (#"{"cut":"now"}"#, "member cut is invalid; allowed: true, false, before, after, middle"),
    (#"{"cut":false}"#, "a fault needs one of the members"), (#"{"cut":1}"#, "member cut"),
    (#"{"cut":"before","accepted":true}"#, "the member accepted cannot be combined with cut before"),
    (#"{"cut":true,"status":503}"#, "the members status and cut cannot be combined"),
    (#"{"throttle":0}"#, "member throttle"), (#"{"throttle":"50"}"#, "member throttle"),
    (#"{"throttle":1e9}"#, "member throttle"),
    (
        #"{"status":503,"operations":[]}"#,
        "member operations is invalid; allowed: an array of at most 100 of send, telemetry"
    ),
    (#"{"status":503,"operations":["sends"]}"#, "member operations"),
    (#"{"status":503,"operations":"send"}"#, "member operations"),
    (#"{"status":503,"requests":["messages"]}"#, "member requests"),
    (#"{"status":503,"requests":["A B /c"]}"#, "member requests"),
    (#"{"status":503,"requests":["P1 /c"]}"#, "member requests"), (#"{"status":503,"after":"soon"}"#, "member after"),
    (#"{"status":503,"every":"1m"}"#, "the member every requires the member for"),
    (#"{"status":503,"for":"1m","every":"60s"}"#, "the member every must be longer than the member for"),
    (#"{"outcome":"Lost"}"#, "member outcome is invalid; allowed: one of AbandonedNotificationMessages, BadChannel"),
    (#"{"outcome":"Dropped","status":503}"#, "unknown member status; allowed: outcome, rate, platform, handle"),
    (#"{"outcome":"Dropped","platform":"fax"}"#, "member platform is invalid; allowed: apns, mpns, wns"),
    (#"{"outcome":"Dropped","rate":"1"}"#, "member rate"), (#"{"outcome":"Dropped","handle":""}"#, "member handle"),
    (#"[{"status":503},{}]"#, "fault number 2: a fault needs one of the members"),
]
