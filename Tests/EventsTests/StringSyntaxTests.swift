import Testing

@testable import NewsflashEvents

@Suite(.timeLimit(.minutes(1)))
struct StringSyntaxTests {
    /// Each byte at each position of short and long texts, compared with the form's rule for one byte.
    @Test(arguments: [StringSyntax.identifier, .uriReference, .category, .user, .link])
    func `a text has a form if each byte has it`(_ form: StringSyntax) {
        let start = form == .link ? Array("https://h".utf8) : []
        for length in 1...17 {
            for place in 0..<length {
                for byte in UInt8.min...UInt8.max {
                    var bytes = [UInt8](repeating: 0x61, count: length)
                    bytes[place] = byte
                    let fits = form.fits((start + bytes).span)
                    guard fits != Self.mayStand(byte, in: form, isFirst: place == 0) else { continue }
                    Issue.record("\(form), \(length) bytes, \(byte) at \(place): \(fits)")
                }
            }
        }
    }

    private static func mayStand(_ byte: UInt8, in form: StringSyntax, isFirst: Bool) -> Bool {
        let character = Character(UnicodeScalar(byte))
        let isLetterOrDigit = byte < 0x80 && (character.isLetter || character.isNumber)
        return switch form {
        case .identifier: (0x21...0x7E).contains(byte)
        case .category: isLetterOrDigit || !isFirst && "._:/-".contains(character)
        case .user: isLetterOrDigit || "_@#.:-".contains(character)
        default: byte > 0x20 && byte != 0x7F
        }
    }

    @Test(arguments: [StringSyntax.name, .identifier, .uriReference, .category, .user, .languageTag, .link])
    func `an empty text has no form`(_ form: StringSyntax) {
        #expect(!form.fits(""))
    }

    @Test func `only a link begins with https`() {
        #expect(StringSyntax.link.fits("https://é.example.org"))
        for link in ["https://", "https:///a", "https://?a", "https://#a", "https://:443"] {
            #expect(!StringSyntax.link.fits(link))
        }
        for text in ["https:/", "http://e.example.org", "HTTPS://e.example.org", "https//:e"] {
            #expect(!StringSyntax.link.fits(text))
        }
    }
}
