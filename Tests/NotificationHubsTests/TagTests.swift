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
            ("", TagError.Code.empty, 0),
            (String(repeating: "t", count: 121), .tooLong, 120),
            ("a b", .invalidCharacter, 1),
            (" a", .invalidCharacter, 0),
            ("a,b", .invalidCharacter, 1),
            ("a=b", .invalidCharacter, 1),
            ("größe", .invalidCharacter, 2),
            ("a\u{0}", .invalidCharacter, 1),
            ("$InstallationId:12", .invalidCharacter, 0),
            ("$InstallationId:{}", .invalidCharacter, 0),
            ("$InstallationId:{a b}", .invalidCharacter, 18),
            ("$Other:{a}", .invalidCharacter, 0),
            ("a||b", .invalidCharacter, 1),
            ("$UserId:{a}b", .invalidCharacter, 0),
            ("$InstallationId:{a}{b}", .invalidCharacter, 18),
            ("$UserId:{a=b", .invalidCharacter, 0),
            ("InstallationId:{a}", .invalidCharacter, 15),
            ("a\n", .invalidCharacter, 1),
            ("a\tb", .invalidCharacter, 1),
            ("\u{FF41}", .invalidCharacter, 0),
            (String(repeating: "é", count: 61), .tooLong, 120),
            ("$UserId:{" + String(repeating: "u", count: 111) + "}", .tooLong, 120),
        ])
    func `other tags are refused with the position`(text: String, code: TagError.Code, offset: Int) throws {
        let error = try #require(throws: TagError.self) { try Tag(text) }
        #expect(error.code == code)
        #expect(error.offset == offset)
    }

    @Test func `the tags of an installation and of a user are made`() throws {
        #expect(try Tag.installation("ab-1").description == "$InstallationId:{ab-1}")
        #expect(try Tag.user("jane").description == "$UserId:{jane}")
        #expect(throws: TagError.self) { try Tag.user("a}b") }
    }
}
