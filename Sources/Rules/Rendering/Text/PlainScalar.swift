/// The class of a character that the fast path of cleaning leaves unchanged: whether it counts as a mark.
///
/// Each of these characters is unchanged in normalization form C and never composes with the one before it, so a text of such
/// characters only is already composed. All other characters take the slow path. The ranges are those of the alphabets that
/// newsrooms write most; a test checks them against the Unicode data of the standard library.
enum PlainScalar {
    case base
    case mark
    /// Unchanged directly after a base; after another mark it might have to change places with it.
    case markOfBase

    /// Looks up a character; `nil` if the slow path must decide.
    ///
    /// - Parameter scalar: Not white space, which the caller handles.
    init?(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x20...0x7E, 0xA1...0xAC, 0xAE...0x2FF: self = .base
        // Greek, Cyrillic.
        case 0x388...0x482, 0x48A...0x52F: self = .base
        // Hebrew, Arabic and Persian letters.
        case 0x5D0...0x5EA, 0x60C, 0x61B, 0x61F...0x64A, 0x660...0x66F, 0x671...0x6D3: self = .base
        // Arabic vowel signs except those that compose.
        case 0x64B...0x652: self = .markOfBase
        // Devanagari. A virama may be among marks, because no class other than its own is allowed beside it.
        case 0x904...0x939, 0x93D, 0x950, 0x960...0x961, 0x964...0x970: self = .base
        case 0x901...0x903, 0x93E...0x94D, 0x962...0x963: self = .mark
        // Thai without vowels below and tone marks, which have classes of their own.
        case 0xE01...0xE30, 0xE32...0xE33, 0xE3F...0xE46, 0xE4F...0xE5B: self = .base
        // Vietnamese and other Latin, dashes, quotation marks, currencies.
        case 0x1E00...0x1EFF, 0x2010...0x2027, 0x2030...0x205E, 0x20A0...0x20C0, 0x2116, 0x2122: self = .base
        // Chinese, Japanese, Korean with their punctuation.
        case 0x3001...0x3029, 0x3041...0x3096, 0x30A0...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7A3: self = .base
        case 0xFF01...0xFF60: self = .base
        default: return nil
        }
    }
}
