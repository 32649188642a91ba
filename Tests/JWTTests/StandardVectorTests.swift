import NewsflashTimestamps
import Testing

@testable import NewsflashJWT

/// The examples of RFC 7515, appendices A.1 to A.3: three signatures of the same claims, whose user is `iss`.
@Suite("The examples of RFC 7515", .timeLimit(.minutes(1)))
struct StandardVectorTests {
    private static let now = Timestamp(seconds: 1_300_819_000)
    private static let claims =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    private func verify(
        _ algorithm: BearerTokenVerifier.Algorithm,
        key: [UInt8],
        header: String,
        signature: String,
        now: Timestamp = now
    ) throws(BearerTokenError) -> BearerToken {
        let verifier = try BearerTokenVerifier(
            algorithm: algorithm,
            key: key,
            issuer: "joe",
            audience: nil,
            userClaim: "iss"
        )
        return try verifier.verify("\(header).\(Self.claims).\(signature)", now: now)
    }

    private let expected = BearerToken(user: "joe", expiry: Timestamp(seconds: 1_300_819_380), id: nil)

    @Test func `the example with HMAC and SHA-256 is verified`() throws {
        let secret = "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"
        let key = try #require(Base64URL.decode(secret.utf8))
        // Its header has a line break and a space between the members.
        let header = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9"
        let signature = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        #expect(try verify(.hs256, key: key, header: header, signature: signature) == expected)
        let late = #expect(throws: BearerTokenError.self) {
            try verify(.hs256, key: key, header: header, signature: signature, now: expected.expiry + .seconds(30))
        }
        #expect(late?.code == .expired)
    }

    @Test func `the example with RSA and SHA-256 is verified`() throws {
        let key = """
            -----BEGIN PUBLIC KEY-----
            MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAofgWCuLjybRlzo0tZWJj
            NiuSfb4p4fAkd/wWJcyQoTbji9k0l8W26mPddxHmfHQp+Vaw+4qPCJrcS2mJPMEz
            P1Pt0Bm4d4QlL+yRT+SFd2lZS+pCgNMsD1W/YpRPEwOWvG6b32690r2jZ47soMZo
            9wGzjb/7OMg0LOL+bSf63kpaSHSXndS5z5rexMdbBYUsLA9e+KXBdQOS+UTo7WTB
            EMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6/I5IhlJH7aGhyxX
            FvUK+DWNmoudF8NAco9/h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXp
            oQIDAQAB
            -----END PUBLIC KEY-----
            """
        let signature = """
            cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CU\
            Ar7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_d\
            O--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0ig\
            cN_IoypGlUPQGe77Rw
            """
        let token = try verify(.rs256, key: Array(key.utf8), header: "eyJhbGciOiJSUzI1NiJ9", signature: signature)
        #expect(token == expected)
    }

    @Test func `the example with ECDSA on P-256 and SHA-256 is verified`() throws {
        let key = """
            -----BEGIN PUBLIC KEY-----
            MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7
            6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
            -----END PUBLIC KEY-----
            """
        let signature = "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        let token = try verify(.es256, key: Array(key.utf8), header: "eyJhbGciOiJFUzI1NiJ9", signature: signature)
        #expect(token == expected)
    }
}
