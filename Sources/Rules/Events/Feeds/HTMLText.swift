import NewsflashBasics

/// Conversion of HTML in headlines, summaries and notes to plain text.
enum HTMLText {
    /// Returns the text without tags and comments, with its character references resolved once.
    ///
    /// Knows the names of HTML 4 and XML, and those of the letters of Latin Extended-A. Unknown references stay unchanged, as
    /// does a `<` that does not begin a tag. Block elements separate words. Needs one pass.
    static func plain(_ html: String) -> String {
        guard html.utf8.contains(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") }) else { return html }
        var reader = HTMLTextReader(html)
        return reader.text()
    }

    /// Whether a text contains references or tags that a browser would not show unchanged.
    ///
    /// - Parameter text: A text from a source that is not declared as HTML.
    /// - Returns: `true` if it contains a known reference or a formatting tag.
    static func isLikely(_ text: String) -> Bool {
        // Called for every event, so it checks eight bytes at a time.
        let isPlain = text.utf8.span.allPass(
            words: { $0.marks(of: UInt8(ascii: "&")) | $0.marks(of: UInt8(ascii: "<")) },
            bytes: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") }
        )
        if isPlain { return false }
        let bytes = Array(text.utf8)
        return bytes.indices.contains { index in
            switch bytes[index] {
            case UInt8(ascii: "&"): HTMLReferences.reference(bytes, index) != nil
            case UInt8(ascii: "<"): HTMLTag(bytes, index)?.isOfHTML ?? false && isClosed(bytes, index)
            default: false
            }
        }
    }

    /// Whether a `>` ends a tag within 512 bytes; an editor's tags are shorter.
    private static func isClosed(_ bytes: [UInt8], _ start: Int) -> Bool {
        let rest = bytes[(start + 1)...].prefix(512)
        let end = rest.first { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
        return end == UInt8(ascii: ">")
    }
}

/// The beginning of a tag, such as `<p` or `</p`.
private struct HTMLTag {
    /// The name in lower case, cut to 12 characters.
    let name: String
    /// Whether the character after the name may follow the name of a tag.
    private let isWhole: Bool

    private static let longestName = 12
    private static let blocks: Set<String> = [
        "address", "article", "aside", "blockquote", "body", "br", "caption", "center", "dd", "div", "dl", "dt",
        "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hgroup", "hr",
        "html", "li", "main", "nav", "ol", "option", "p", "pre", "section", "table", "tbody", "td", "tfoot", "th",
        "thead", "title", "tr", "ul",
    ]
    /// Formatting that the editors of a CMS leave in texts.
    private static let inline: Set<String> = [
        "a", "abbr", "b", "big", "cite", "code", "em", "font", "i", "img", "ins", "del", "mark", "q", "s", "small",
        "span",
        "strike", "strong", "sub", "sup", "tt", "u", "wbr",
    ]

    /// Reads the name after a `<`; `nil` unless a letter follows, or a slash and a letter.
    init?(_ bytes: [UInt8], _ start: Int) {
        var index = start + 1
        if index < bytes.count, bytes[index] == UInt8(ascii: "/") { index += 1 }
        guard index < bytes.count, bytes[index].isLetter else { return nil }
        let name = bytes[index...].prefix(Self.longestName).prefix(while: \.isLetterOrDigit)
        self.name = String(decoding: name, as: UTF8.self).lowercasedASCII
        switch name.endIndex < bytes.count ? bytes[name.endIndex] : 0 {
        case UInt8(ascii: ">"), UInt8(ascii: "/"), 0x20, 0x09, 0x0A, 0x0D: isWhole = true
        default: isWhole = false
        }
    }

    /// Whether the element is a block or a line break.
    var partsWords: Bool { Self.blocks.contains(name) }
    var isOfHTML: Bool { isWhole && (Self.blocks.contains(name) || Self.inline.contains(name)) }
    /// Whether a browser does not show the content of the element.
    var hidesContent: Bool { isWhole && (name == "script" || name == "style") }
}

/// A converter that makes one pass through a text.
private struct HTMLTextReader {
    private let bytes: [UInt8]
    private var index = 0
    private var result: [UInt8] = []
    /// End marks that do not occur again, so that a text with many start marks is not searched for each of them.
    private var missing: Set<String> = []

    init(_ html: String) {
        bytes = Array(html.utf8)
        result.reserveCapacity(bytes.count)
    }

    mutating func text() -> String {
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "&"), let (scalar, end) = HTMLReferences.reference(bytes, index) {
                result += String(scalar).utf8
                index = end
            } else if byte != UInt8(ascii: "<") || !passMarkup() {
                result.append(byte)
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Skips a tag, a comment or a declaration; returns whether there was one.
    private mutating func passMarkup() -> Bool {
        if follows("<!--") {
            guard let end = end("-->", from: index + 4) else { return false }
            index = end
            return true
        }
        if follows("<![CDATA[") {
            guard let end = end("]]>", from: index + 9) else { return false }
            result += bytes[(index + 9)..<(end - 3)]
            index = end
            return true
        }
        let isDeclaration = follows("<!DOCTYPE") || follows("<!doctype") || follows("<?xml")
        let tag = HTMLTag(bytes, index)
        guard isDeclaration || tag != nil, !missing.contains(">") else { return false }
        guard let end = bytes[(index + 1)...].firstIndex(where: { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") })
        else {
            missing.insert(">")
            return false
        }
        guard bytes[end] == UInt8(ascii: ">") else { return false }
        let isEnd = bytes[index + 1] == UInt8(ascii: "/")
        if tag?.partsWords ?? false { result.append(0x20) }
        index = end + 1
        // Browsers do not show the content. Without an end tag it counts as text.
        if let tag, tag.hidesContent, !isEnd, let end = self.end("</" + tag.name, from: index) {
            index = end - tag.name.utf8.count - 2
        }
        return true
    }

    private func follows(_ mark: String) -> Bool { bytes[index...].starts(with: mark.utf8) }

    /// The index after the next end mark; `nil` if absent.
    private mutating func end(_ mark: String, from start: Int) -> Int? {
        guard !missing.contains(mark) else { return nil }
        let mark = Array(mark.utf8)
        var place = start
        while place + mark.count <= bytes.count {
            let isEqual = zip(bytes[place...], mark).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
            if isEqual { return place + mark.count }
            place += 1
        }
        missing.insert(String(decoding: mark, as: UTF8.self))
        return nil
    }
}

/// The character references of HTML, such as `&eacute;`.
enum HTMLReferences {
    private static let longestName = 10

    /// Reads a reference such as `&eacute;`, `&#233;` or `&#xE9;`.
    ///
    /// - Returns: The character and the index after the reference; `nil` if the reference is unknown.
    static func reference(_ bytes: [UInt8], _ start: Int) -> (Unicode.Scalar, Int)? {
        let body = bytes[(start + 1)...].prefix(longestName + 1)
        guard let end = body.firstIndex(of: UInt8(ascii: ";")), end > start + 1 else { return nil }
        let name = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
        guard name.hasPrefix("#") else { return named[name].map { ($0, end + 1) } }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        guard
            let code = isHexadecimal ? UInt32(digits: digits.dropFirst(), radix: 16) : UInt32(digits: digits, radix: 10)
        else { return nil }
        return (scalar(code), end + 1)
    }

    /// Resolves a number as browsers do: 128 to 159 are characters of Windows-1252, and a number without a character is
    /// U+FFFD.
    private static func scalar(_ code: UInt32) -> Unicode.Scalar {
        if (128...159).contains(code) { return windows[Int(code) - 128] }
        return code == 0 ? "\u{FFFD}" : Unicode.Scalar(code) ?? "\u{FFFD}"
    }

    private static let windows = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars
    )

    /// U+00A0 to U+00FF in order.
    private static let latin1 = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro \
        para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil \
        Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave \
        Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml \
        igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute \
        thorn yuml
        """

    /// The other names of HTML 4 and XML, and the letters of Latin Extended-A, with their code points in hexadecimal.
    private static let others = """
        quot=22 amp=26 apos=27 lt=3C gt=3E Amacr=100 amacr=101 Abreve=102 abreve=103 Aogon=104 aogon=105 Cacute=106 \
        cacute=107 Ccirc=108 ccirc=109 Cdot=10A cdot=10B Ccaron=10C ccaron=10D Dcaron=10E dcaron=10F Dstrok=110 \
        dstrok=111 Emacr=112 emacr=113 Edot=116 edot=117 Eogon=118 eogon=119 Ecaron=11A ecaron=11B Gcirc=11C gcirc=11D \
        Gbreve=11E gbreve=11F Gdot=120 gdot=121 Gcedil=122 Hcirc=124 hcirc=125 Hstrok=126 hstrok=127 Itilde=128 \
        itilde=129 Imacr=12A imacr=12B Iogon=12E iogon=12F Idot=130 imath=131 inodot=131 IJlig=132 ijlig=133 Jcirc=134 \
        jcirc=135 Kcedil=136 kcedil=137 kgreen=138 Lacute=139 lacute=13A Lcedil=13B lcedil=13C Lcaron=13D lcaron=13E \
        Lmidot=13F lmidot=140 Lstrok=141 lstrok=142 Nacute=143 nacute=144 Ncedil=145 ncedil=146 Ncaron=147 ncaron=148 \
        napos=149 ENG=14A eng=14B Omacr=14C omacr=14D Odblac=150 odblac=151 OElig=152 oelig=153 Racute=154 racute=155 \
        Rcedil=156 rcedil=157 Rcaron=158 rcaron=159 Sacute=15A sacute=15B Scirc=15C scirc=15D Scedil=15E scedil=15F \
        Scaron=160 scaron=161 Tcedil=162 tcedil=163 Tcaron=164 tcaron=165 Tstrok=166 tstrok=167 Utilde=168 utilde=169 \
        Umacr=16A umacr=16B Ubreve=16C ubreve=16D Uring=16E uring=16F Udblac=170 udblac=171 Uogon=172 uogon=173 \
        Wcirc=174 wcirc=175 Ycirc=176 ycirc=177 Yuml=178 Zacute=179 zacute=17A Zdot=17B zdot=17C Zcaron=17D zcaron=17E \
        fnof=192 circ=2C6 tilde=2DC Alpha=391 Beta=392 Gamma=393 Delta=394 Epsilon=395 Zeta=396 Eta=397 Theta=398 \
        Iota=399 Kappa=39A Lambda=39B Mu=39C Nu=39D Xi=39E Omicron=39F Pi=3A0 Rho=3A1 Sigma=3A3 Tau=3A4 Upsilon=3A5 \
        Phi=3A6 Chi=3A7 Psi=3A8 Omega=3A9 alpha=3B1 beta=3B2 gamma=3B3 delta=3B4 epsilon=3B5 zeta=3B6 eta=3B7 \
        theta=3B8 iota=3B9 kappa=3BA lambda=3BB mu=3BC nu=3BD xi=3BE omicron=3BF pi=3C0 rho=3C1 sigmaf=3C2 sigma=3C3 \
        tau=3C4 upsilon=3C5 phi=3C6 chi=3C7 psi=3C8 omega=3C9 thetasym=3D1 upsih=3D2 piv=3D6 ensp=2002 emsp=2003 \
        thinsp=2009 zwnj=200C zwj=200D lrm=200E rlm=200F ndash=2013 mdash=2014 lsquo=2018 rsquo=2019 sbquo=201A \
        ldquo=201C rdquo=201D bdquo=201E dagger=2020 Dagger=2021 bull=2022 hellip=2026 permil=2030 prime=2032 \
        Prime=2033 lsaquo=2039 rsaquo=203A oline=203E frasl=2044 euro=20AC image=2111 weierp=2118 real=211C trade=2122 \
        alefsym=2135 larr=2190 uarr=2191 rarr=2192 darr=2193 harr=2194 crarr=21B5 lArr=21D0 uArr=21D1 rArr=21D2 \
        dArr=21D3 hArr=21D4 forall=2200 part=2202 exist=2203 empty=2205 nabla=2207 isin=2208 notin=2209 ni=220B \
        prod=220F sum=2211 minus=2212 lowast=2217 radic=221A prop=221D infin=221E ang=2220 and=2227 or=2228 cap=2229 \
        cup=222A int=222B there4=2234 sim=223C cong=2245 asymp=2248 ne=2260 equiv=2261 le=2264 ge=2265 sub=2282 \
        sup=2283 nsub=2284 sube=2286 supe=2287 oplus=2295 otimes=2297 perp=22A5 sdot=22C5 lceil=2308 rceil=2309 \
        lfloor=230A rfloor=230B lang=2329 rang=232A loz=25CA spades=2660 clubs=2663 hearts=2665 diams=2666
        """

    private static let named: [String: Unicode.Scalar] = {
        var table: [String: Unicode.Scalar] = [:]
        for (offset, name) in latin1.split(separator: " ").enumerated() {
            table[String(name)] = Unicode.Scalar(UInt8(truncatingIfNeeded: 0xA0 + offset))
        }
        for entry in others.split(separator: " ") {
            let parts = entry.split(separator: "=")
            guard parts.count == 2, let code = UInt32(digits: parts[1], radix: 16) else { continue }
            table[String(parts[0])] = Unicode.Scalar(code)
        }
        return table
    }()
}

extension UInt32 {
    /// Reads digits only; a number that is too large becomes the maximum.
    fileprivate init?(digits: Substring, radix: UInt32) {
        guard !digits.isEmpty else { return nil }
        var value: UInt32 = 0
        for byte in digits.utf8 {
            guard let digit = byte.hexadecimalValue, digit < radix else { return nil }
            value = value > 0xFF_FFFF ? .max : value * radix + UInt32(digit)
        }
        self = value
    }
}
