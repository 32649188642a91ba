import FoundationEssentials
import NewsflashTestSupport
import NewsflashTimestamps
import NotificationHubs
import Testing

/// Tokens in the conventions of five SDKs, computed with another implementation of HMAC; the last two are published by
/// others.
struct TokenVector: Sendable, CustomTestStringConvertible {
    var name: String
    var resource: String
    var expiry: Int64 = 1_767_225_600
    var policy = "DefaultFullSharedAccessSignature"
    var key = "bmV3c2Rlc2stZXhhbXBsZS1rZXktMDAwMDAwMDAwMDE="
    var signature: String
    var rest: String
    var host = "newsdesk.servicebus.windows.net"
    var path = "/Breaking-News/messages"

    var testDescription: String { name }

    static let second = "c2Vjb25kLW1hZGUtdXAta2V5LS0tLS0tLS0tLS0tLTI="
    static let all = [
        TokenVector(
            name: "A .NET",
            resource: "http%3a%2f%2fnewsdesk.servicebus.windows.net%2fbreaking-news%2fmessages%2f",
            signature: "thnaSex1OVGbO2XG71PYOc9Dpvmt/wQDXIvvbE+IVGI=",
            rest: "sr={sr}&sig=thnaSex1OVGbO2XG71PYOc9Dpvmt%2fwQDXIvvbE%2bIVGI%3d&se={se}&skn={skn}"
        ),
        TokenVector(
            name: "B Java and PHP",
            resource:
                "https%3a%2f%2fnewsdesk.servicebus.windows.net%2fbreaking-news%2fmessages%3fapi-version%3d2020-06",
            signature: "TbQ4p8iOM4Ql8FA/7ObqI7V5FgnL3nJ5oRs8JIk8wys=",
            rest: "sr={sr}&sig=TbQ4p8iOM4Ql8FA%2F7ObqI7V5FgnL3nJ5oRs8JIk8wys%3D&se={se}&skn={skn}"
        ),
        TokenVector(
            name: "C JavaScript",
            resource: "https%3A%2F%2Fnewsdesk.servicebus.windows.net%2F",
            signature: "nr1lcynE2JI16TcDOxf0wfSe8XJZjxlXVnNL0SEWA5E=",
            rest: "sr={sr}&sig=nr1lcynE2JI16TcDOxf0wfSe8XJZjxlXVnNL0SEWA5E%3D&se={se}&skn={skn}"
        ),
        TokenVector(
            name: "D Python",
            resource: "https%3a%2f%2fnewsdesk.servicebus.windows.net%2fbreaking-news",
            signature: "6T9cLFx7Wxm4Z9V7F8yoc7kk1xkCfIbjpUB+6CnMl9Y=",
            rest: "sig=6T9cLFx7Wxm4Z9V7F8yoc7kk1xkCfIbjpUB%2B6CnMl9Y%3D&se={se}&skn={skn}&sr={sr}"
        ),
        TokenVector(
            name: "E JavaScript, a policy with a blank",
            resource: "https%3A%2F%2Fnewsdesk.servicebus.windows.net%2F",
            expiry: 1_893_456_000,
            policy: "Send Only",
            key: second,
            signature: "FZbxsJjNfNiji18Yx3ftQzTCWVeei3FtbAAMR5eaIXQ=",
            rest: "sr={sr}&sig=FZbxsJjNfNiji18Yx3ftQzTCWVeei3FtbAAMR5eaIXQ%3D&se={se}&skn=Send%20Only"
        ),
        TokenVector(
            name: "F JavaScript, a key that is not base 64",
            resource: "https%3A%2F%2Fnewsdesk.servicebus.windows.net%2F",
            expiry: 1_893_456_000,
            policy: "dev",
            key: "not base64 at all: é/+ &=",
            signature: "Vg+j/DKN25VL2UykjKGaO8jzs9Zd1pp+JWbYCt8QcuQ=",
            rest: "sr={sr}&sig=Vg+j/DKN25VL2UykjKGaO8jzs9Zd1pp+JWbYCt8QcuQ=&se={se}&skn={skn}"
        ),
        TokenVector(
            name: "G .NET, a policy with a blank",
            resource: "http%3a%2f%2fnewsdesk.servicebus.windows.net%2fhub%2fmessages%2f",
            expiry: 1_893_456_000,
            policy: "Send Only",
            key: second,
            signature: "poHkg+pRlDUZBov5Om4Ji9cjFJCWJAdhjl07pQLIM10=",
            rest: "sr={sr}&sig=poHkg%2bpRlDUZBov5Om4Ji9cjFJCWJAdhjl07pQLIM10%3d&se={se}&skn=Send+Only",
            path: "/hub/messages/"
        ),
        TokenVector(
            name: "published with a Perl module",
            resource: "https%3a%2f%2fmysvc.servicebus.windows.net%2fmyhub%2fmessages%2f",
            expiry: 1_476_065_410,
            policy: "any",
            key: "AexamplekeyAEXAMPLEKEYAexamplekeyAEXAMPLEKEY=",
            signature: "613gusVD9r98Cx5ZjyPR1GqwgJN62kO+5hNltW/f9dw=",
            rest: "sr={sr}&sig=613gusVD9r98Cx5ZjyPR1GqwgJN62kO%2B5hNltW%2Ff9dw%3D&se={se}&skn={skn}",
            host: "mysvc.servicebus.windows.net",
            path: "/myhub/messages"
        ),
    ]

    var header: String {
        "SharedAccessSignature "
            + rest.replacing("{sr}", with: resource).replacing("{se}", with: String(expiry))
            .replacing("{skn}", with: policy)
    }

    func verify(_ header: String? = nil, host: String? = nil, path: String? = nil, at seconds: Int64? = nil)
        throws(SharedAccessSignatureError) -> String
    {
        try SharedAccessSignature.verify(
            header: header ?? self.header,
            host: host ?? self.host,
            path: path ?? self.path,
            now: Timestamp(seconds: seconds ?? expiry - 1),
            key: { $0 == policy ? SharedAccessKey(key) : nil }
        ).keyName
    }
}

@Suite(.timeLimit(.minutes(1)))
struct SharedAccessSignatureTests {
    @Test(arguments: TokenVector.all)
    func `a signature is the same as those of others`(vector: TokenVector) {
        let token = SharedAccessSignature(
            resource: vector.resource,
            expiry: vector.expiry,
            keyName: vector.policy,
            key: SharedAccessKey(vector.key)
        )
        #expect(token.headerValue.contains("&sig=" + PercentEncoding.encode(vector.signature) + "&"))
    }

    @Test(arguments: TokenVector.all)
    func `the tokens of every SDK are accepted`(vector: TokenVector) throws {
        #expect(try vector.verify() == vector.policy)
        #expect(try vector.verify(host: vector.host.uppercased() + ":443") == vector.policy)
    }

    @Test(arguments: TokenVector.all)
    func `tokens that are expired, for another resource, or changed are refused`(vector: TokenVector) throws {
        func code(_ body: () throws(SharedAccessSignatureError) -> String) -> SharedAccessSignatureError.Code? {
            do { _ = try body() } catch { return error.code }
            return nil
        }
        #expect(code { () throws(SharedAccessSignatureError) in try vector.verify(at: vector.expiry) } == .expired)
        #expect(
            code { () throws(SharedAccessSignatureError) in try vector.verify(host: "other.servicebus.windows.net") }
                == .otherResource
        )
        let later = vector.header.replacing("se=\(vector.expiry)", with: "se=\(vector.expiry + 1)")
        #expect(code { () throws(SharedAccessSignatureError) in try vector.verify(later) } == .invalidSignature)
        let otherScheme = vector.header.replacing("sr=http", with: "sr=xttp")
        #expect(code { () throws(SharedAccessSignatureError) in try vector.verify(otherScheme) } == .invalidSignature)
    }

    @Test func `a token covers only its path and the paths below it`() {
        func covers(_ url: String, _ path: String) -> Bool {
            SharedAccessSignature(
                resource: PercentEncoding.encode(url),
                expiry: 0,
                keyName: "n",
                key: SharedAccessKey("k")
            ).covers(host: "h:1", path: path)
        }
        #expect(covers("http://h/", "/hub/messages"))
        #expect(covers("http://h", "/"))
        #expect(covers("sb://H:7/Hub?x=1", "/hub/messages/"))
        #expect(covers("http://h/hub/tags/a%20b", "/hub/tags/a%20b/registrations"))
        #expect(covers("http://h/hub/tags/a b", "/hub/tags/a%20b/registrations"))
        #expect(!covers("http://h/hub", "/hub2/messages"))
        #expect(!covers("http://h/hub/messages", "/hub"))
        #expect(!covers("http://h2/hub", "/hub"))
        #expect(!covers("", "/hub"))
    }

    @Test(
        arguments: [
            "", "Bearer x", "SharedAccessSignature", "SharedAccessSignature ", "SharedAccessSignature sr=a&sig=b&se=1",
            "SharedAccessSignature sr=a&sig=AAAA&se=-1&skn=n", "SharedAccessSignature sr=a&sig=AAAA&se=&skn=n",
            "SharedAccessSignature sr=a&sig=*&se=1&skn=n", "SharedAccessSignature sr=a&sr=a&sig=AAAA&se=1&skn=n",
            "SharedAccessSignature sr=a&sig=AAAA&se=1&skn=%FF", "SharedAccessSignature sr=a&sig=AAAA&se=1&skn",
            "SharedAccessSignature sr=a&sig=AAAA&se=99999999999999999999&skn=n",
            "SharedAccessSignature " + String(repeating: "a", count: 5000),
            "SharedAccessSignature sr=a&sig=AAAA&se=1&skn=" + String(repeating: "n", count: 5000),
        ])
    func `a text that is not a token is refused`(header: String) throws {
        let error = try #require(throws: SharedAccessSignatureError.self) {
            try SharedAccessSignature(parsing: header)
        }
        #expect(error.code == .malformed)
    }

    @Test func `a token is printed without the signature`() throws {
        let vector = TokenVector.all[0]
        let token = try SharedAccessSignature(parsing: vector.header)
        let code = try #require(Data(base64Encoded: vector.signature))
        #expect(leaks(of: Array(code), in: token) == [])
        #expect(token.description.contains("<redacted>"))
    }

    @Test func `a written token is parsed back`() throws {
        let token = SharedAccessSignature(
            resource: SharedAccessSignature.resource(
                forURL: "https://NewsDesk.servicebus.windows.net/Breaking-News"
            ),
            expiry: 1_767_225_600,
            keyName: "Send + Only",
            key: SharedAccessKey("k")
        )
        #expect(token.resource == "https%3a%2f%2fnewsdesk.servicebus.windows.net%2fbreaking-news")
        #expect(try SharedAccessSignature(parsing: token.headerValue) == token)
    }
}
