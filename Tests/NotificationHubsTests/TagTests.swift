import NotificationHubs
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TagTests {
    @Test(
        arguments: [
            "a", "breaking", "A-Z_09@#.:-", "sports.football", "$InstallationId:{12-ab=}", "$installationid:{x}",
            "$UserId:{jane@example.org}", String(repeating: "t", count: 120), "#", "-", "0", ".", ":", "@_@",
            "$USERID:{a:b.c_d#e}", "$UserId:{" + String(repeating: "u", count: 110) + "}",
        ])
    func `tags that the hub accepts are accepted`(text: String) throws {
        #expect(try Tag(text).description == text)
    }

    @Test(
        arguments: [
            ("", HubValueError.Code.tagEmpty, 0),
            (String(repeating: "t", count: 121), .tagTooLong, 120),
            ("a b", .tagInvalidCharacter, 1),
            (" a", .tagInvalidCharacter, 0),
            ("a,b", .tagInvalidCharacter, 1),
            ("a=b", .tagInvalidCharacter, 1),
            ("größe", .tagInvalidCharacter, 2),
            ("a\u{0}", .tagInvalidCharacter, 1),
            ("$InstallationId:12", .tagInvalidCharacter, 0),
            ("$InstallationId:{}", .tagInvalidCharacter, 0),
            ("$InstallationId:{a b}", .tagInvalidCharacter, 18),
            ("$Other:{a}", .tagInvalidCharacter, 0),
            ("a||b", .tagInvalidCharacter, 1),
            ("$UserId:{a}b", .tagInvalidCharacter, 0),
            ("$InstallationId:{a}{b}", .tagInvalidCharacter, 18),
            ("$UserId:{a=b", .tagInvalidCharacter, 0),
            ("InstallationId:{a}", .tagInvalidCharacter, 15),
            ("a\n", .tagInvalidCharacter, 1),
            ("a\tb", .tagInvalidCharacter, 1),
            ("\u{FF41}", .tagInvalidCharacter, 0),
            (String(repeating: "é", count: 61), .tagTooLong, 120),
            ("$UserId:{" + String(repeating: "u", count: 111) + "}", .tagTooLong, 120),
        ])
    func `other tags are refused with the position`(text: String, code: HubValueError.Code, offset: Int) throws {
        let error = try #require(throws: HubValueError.self) { try Tag(text) }
        #expect(error.code == code)
        #expect(error.offset == offset)
    }

    @Test func `the tags of an installation and of a user are made`() throws {
        #expect(try Tag.installation("ab-1").description == "$InstallationId:{ab-1}")
        #expect(try Tag.user("jane").description == "$UserId:{jane}")
        #expect(throws: HubValueError.self) { try Tag.user("a}b") }
    }
}
