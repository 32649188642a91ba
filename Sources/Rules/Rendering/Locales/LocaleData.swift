/// Data about locales for the choice of a text.
///
/// Parents: all explicit ones of CLDR 45. Likely subtags: a subset of CLDR's for the languages common in news; tags without a
/// language are left out, because an event always has one. Taken from the Unicode Common Locale Data Repository, © Unicode,
/// Inc., under the Unicode License v3 (https://www.unicode.org/license.txt).
enum LocaleData {
    /// The explicit parent of a locale in CLDR; `und` if it has no parent; `nil` if the parent is the locale without its last
    /// subtag.
    static func explicitParent(of locale: String) -> String? {
        parents[locale]
    }

    /// The most likely script and region of a tag, for `language`, `language-Script` or `language-REGION`.
    static func likelyScriptAndRegion(of locale: String) -> (script: String, region: String)? {
        likelySubtags[locale]
    }

    /// The replacement of a tag: BCP 47's deprecated languages, and members of a macrolanguage that represent the whole.
    static func replacement(forLanguage language: String) -> (language: String, script: String?)? {
        switch language {
        case "iw": ("he", nil)
        case "in": ("id", nil)
        case "ji": ("yi", nil)
        case "mo": ("ro", nil)
        case "cmn": ("zh", nil)
        case "tl": ("fil", nil)
        case "sh": ("sr", "Latn")
        default: nil
        }
    }

    /// Scripts written from right to left that are in use today.
    static let rightToLeftScripts: Set<String> = [
        "Adlm", "Arab", "Hebr", "Mand", "Mend", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa", "Yezi",
    ]

    private static let parents: [String: String] = {
        var parents: [String: String] = [:]
        for line in parentLines.split(separator: "\n") {
            let words = line.split(separator: " ")
            for child in words.dropFirst() { parents[String(child)] = String(words[0]) }
        }
        return parents
    }()

    private static let likelySubtags: [String: (script: String, region: String)] = {
        var subtags: [String: (script: String, region: String)] = [:]
        for word in likelyWords.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            let sides = word.split(separator: "=")
            let likely = sides[1].split(separator: "-")
            subtags[String(sides[0])] = (String(likely[0]), String(likely[1]))
        }
        return subtags
    }()

    /// Each line has the parent, then its children.
    private static let parentLines = """
        en-001 en-150 en-AG en-AI en-AU en-BB en-BM en-BS en-BW en-BZ en-CC en-CK en-CM en-CX en-CY en-DG en-DM
        en-001 en-ER en-FJ en-FK en-FM en-GB en-GD en-GG en-GH en-GI en-GM en-GY en-HK en-ID en-IE en-IL en-IM en-IN
        en-001 en-IO en-JE en-JM en-KE en-KI en-KN en-KY en-LC en-LR en-LS en-MG en-MO en-MS en-MT en-MU en-MV en-MW
        en-001 en-MY en-NA en-NF en-NG en-NR en-NU en-NZ en-PG en-PK en-PN en-PW en-RW en-SB en-SC en-SD en-SG en-SH
        en-001 en-SL en-SS en-SX en-SZ en-TC en-TK en-TO en-TT en-TV en-TZ en-UG en-VC en-VG en-VU en-WS en-ZA en-ZM
        en-001 en-ZW
        en-150 en-AT en-BE en-CH en-DE en-DK en-FI en-NL en-SE en-SI
        es-419 es-AR es-BO es-BR es-BZ es-CL es-CO es-CR es-CU es-DO es-EC es-GT es-HN es-JP es-MX es-NI es-PA es-PE
        es-419 es-PR es-PY es-SV es-US es-UY es-VE
        pt-PT pt-AO pt-CH pt-CV pt-FR pt-GQ pt-GW pt-LU pt-MO pt-MZ pt-ST pt-TL
        en-IN hi-Latn
        fr-HT ht
        no nb nn no-NO
        zh-Hant-HK zh-Hant-MO
        und az-Arab az-Cyrl bal-Latn blt-Latn bm-Nkoo bs-Cyrl byn-Latn cu-Glag dje-Arab dyo-Arab en-Dsrt en-Shaw
        und ff-Adlm ff-Arab ha-Arab iu-Latn kk-Arab ks-Deva ku-Arab kxv-Deva kxv-Orya kxv-Telu ky-Arab ky-Latn
        und ml-Arab mn-Mong mni-Mtei ms-Arab pa-Arab sat-Deva sd-Deva sd-Khoj sd-Sind shi-Latn so-Arab sr-Latn
        und sw-Arab tg-Arab ug-Cyrl uz-Arab uz-Cyrl vai-Latn wo-Arab yo-Arab yue-Hans zh-Hant
        """

    private static let likelyWords = """
        af=Latn-ZA am=Ethi-ET ar=Arab-EG az=Latn-AZ az-Arab=Arab-IR az-IQ=Arab-IQ az-IR=Arab-IR az-RU=Cyrl-RU
        bg=Cyrl-BG bn=Beng-BD bs=Latn-BA ca=Latn-ES ckb=Arab-IQ cs=Latn-CZ cy=Latn-GB da=Latn-DK de=Latn-DE
        el=Grek-GR en=Latn-US en-Shaw=Shaw-GB es=Latn-ES et=Latn-EE eu=Latn-ES fa=Arab-IR fi=Latn-FI fil=Latn-PH
        fr=Latn-FR ga=Latn-IE gl=Latn-ES gu=Gujr-IN ha=Latn-NG ha-CM=Arab-CM ha-SD=Arab-SD he=Hebr-IL hi=Deva-IN
        hr=Latn-HR hu=Latn-HU hy=Armn-AM id=Latn-ID in=Latn-ID is=Latn-IS it=Latn-IT iw=Hebr-IL ja=Jpan-JP
        jv=Latn-ID ka=Geor-GE kk=Cyrl-KZ kk-AF=Arab-AF kk-Arab=Arab-CN kk-CN=Arab-CN kk-IR=Arab-IR kk-MN=Arab-MN
        km=Khmr-KH kn=Knda-IN ko=Kore-KR ku=Latn-TR ku-Arab=Arab-IQ ku-LB=Arab-LB ku-Yezi=Yezi-GE lo=Laoo-LA
        lt=Latn-LT lv=Latn-LV mk=Cyrl-MK ml=Mlym-IN mn=Cyrl-MN mn-CN=Mong-CN mn-Mong=Mong-CN mr=Deva-IN ms=Latn-MY
        ms-CC=Arab-CC mt=Latn-MT my=Mymr-MM nb=Latn-NO ne=Deva-NP nl=Latn-NL nn=Latn-NO no=Latn-NO pa=Guru-IN
        pa-Arab=Arab-PK pa-PK=Arab-PK pl=Latn-PL ps=Arab-AF pt=Latn-BR ro=Latn-RO ru=Cyrl-RU sd=Arab-PK
        sd-Deva=Deva-IN sd-IN=Deva-IN sd-Khoj=Khoj-IN sd-Sind=Sind-IN si=Sinh-LK sk=Latn-SK sl=Latn-SI so=Latn-SO
        sq=Latn-AL sr=Cyrl-RS sr-ME=Latn-ME sr-RO=Latn-RO sr-TR=Latn-TR sv=Latn-SE sw=Latn-TZ ta=Taml-IN te=Telu-IN
        th=Thai-TH ti=Ethi-ET tl=Latn-PH tr=Latn-TR ug=Arab-CN ug-Cyrl=Cyrl-KZ ug-KZ=Cyrl-KZ ug-MN=Cyrl-MN
        uk=Cyrl-UA ur=Arab-PK uz=Latn-UZ uz-AF=Arab-AF uz-Arab=Arab-AF uz-CN=Cyrl-CN vi=Latn-VN yo=Latn-NG
        yue=Hant-HK yue-CN=Hans-CN yue-Hans=Hans-CN zh=Hans-CN zh-AU=Hant-AU zh-BN=Hant-BN zh-Bopo=Bopo-TW
        zh-GB=Hant-GB zh-GF=Hant-GF zh-HK=Hant-HK zh-Hanb=Hanb-TW zh-Hant=Hant-TW zh-ID=Hant-ID zh-MO=Hant-MO
        zh-PA=Hant-PA zh-PF=Hant-PF zh-PH=Hant-PH zh-SR=Hant-SR zh-TH=Hant-TH zh-TW=Hant-TW zh-US=Hant-US
        zh-VN=Hant-VN zu=Latn-ZA
        """
}
