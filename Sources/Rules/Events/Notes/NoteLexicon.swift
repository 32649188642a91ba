/// The role of a word in an instruction.
enum NoteRole: Sendable, Equatable {
    /// Salutations, requests, articles, auxiliary verbs, names of agencies: words that do not make news by themselves.
    case lead
    /// A name for the item, such as *story* or *dispatch*.
    case story
    /// A name for the item that is as common in news, such as *report* or *post*.
    case document
    /// A name for a picture, which is only a part of the item.
    case picture
    /// *This*: before or after a name for the item.
    case this
    /// A negation; together with ``use`` it is a prohibition.
    case not
    case use
    /// A reason to withdraw or correct an item.
    case reason
    /// An object of corrections: *name*, *headline*, *date*.
    case detail
    /// The first word of a continuation after an instruction: *because*, *before*.
    case tail
    /// The first word of a continuation with an item's name: *slugged*.
    case naming
    /// The first word of a continuation with a time or a condition: *until*, *pending*.
    case pending
    /// A word of a time, such as *Monday* or *GMT*: counts as news, except in an embargo.
    case time
    /// A word for an embargo that is over or does not exist.
    case lifted
    case order(NoteOrder)
    case number
    /// An item's name in capitals with hyphens: `BC-Quake`.
    case slug
    case unknown

    /// Whether it does not occur in an instruction, except for a time in an embargo.
    var isOfNews: Bool { self == .unknown || self == .time || self == .lifted }

    /// The order word, if it instructs the act.
    func order(of act: EditorialNotes.Act) -> NoteOrder? {
        guard case .order(let order) = self, order.act == act else { return nil }
        return order
    }

    /// Whether it is an order word that is rare in news.
    var isStrongOrder: Bool {
        guard case .order(let order) = self else { return false }
        return order.strength > .weak
    }
}

/// A word that withdraws, restricts or corrects.
struct NoteOrder: Sendable, Equatable {
    enum Strength: Sendable, Comparable {
        /// As common in news: counts together with a name for the item, or if the note contains nothing else.
        case weak
        /// Counts if its part of the note contains nothing else.
        case strong
        /// Like ``strong``, and also counts in capitals before a mark in a headline: `ANNULATION: …`.
        case label
        /// Like ``label``, and also counts before a headline without a mark: `WITHDRAWN Quake`.
        case agency
    }

    let act: EditorialNotes.Act
    let strength: Strength
    /// Whether it is a verb with an object, so that any words can follow: `kill`, `corrects`.
    let isVerb: Bool
}

/// A word or phrase of a note with its role.
struct NoteToken {
    let role: NoteRole
    /// The word or phrase in lower case without accents.
    let text: String
    /// The first of its words.
    let word: NoteText.Word
    /// The index of this word.
    let index: Int
}

/// The words of instructions in notes, in the languages of agencies.
struct NoteLexicon: Sendable {
    static let standard = NoteLexicon(entries)

    /// Entries of several words by the first word, the longest first.
    private var phrases: [String: [(words: [String], role: NoteRole)]] = [:]
    private var single: [String: NoteRole] = [:]
    /// Entries in scripts without blanks between words.
    private var unspaced: [String: NoteRole] = [:]
    private var longestUnspaced = 1

    /// Reads lists of words separated by `|`. A word in several lists has the role of the last list.
    init(_ lists: [(role: NoteRole, words: [String])]) {
        for (role, texts) in lists {
            for entry in texts.lazy.flatMap({ $0.split(separator: "|") }) {
                let words = NoteText(String(entry)).words.map(\.text)
                if words.count > 1 {
                    phrases[words[0], default: []].append((words, role))
                } else if let word = words.first, word.unicodeScalars.contains(where: \.isOfUnspacedScript) {
                    unspaced[word] = role
                    longestUnspaced = max(longestUnspaced, word.unicodeScalars.count)
                } else if let word = words.first {
                    single[word] = role
                }
            }
        }
        for first in phrases.keys {
            phrases[first] = phrases[first]?.reversed().sorted { $0.words.count > $1.words.count }
        }
    }

    /// Whether a word is a salutation, a number or a similar word without meaning for an instruction.
    func isLead(_ word: String) -> Bool { single[word] == .lead || Self.isNumber(word) }

    /// Assigns roles to the words of a note, in linear time.
    func tokens(of words: [NoteText.Word]) -> [NoteToken] {
        var tokens: [NoteToken] = []
        var index = 0
        while index < words.count {
            let word = words[index]
            if word.text.unicodeScalars.contains(where: \.isOfUnspacedScript) {
                appendParts(of: word, index, to: &tokens)
                index += 1
            } else if let phrase = phrase(in: words, at: index) {
                let text = phrase.words.joined(separator: " ")
                tokens.append(NoteToken(role: phrase.role, text: text, word: word, index: index))
                index += phrase.words.count
            } else {
                let role = role(of: words, at: index, after: tokens.last)
                tokens.append(NoteToken(role: role, text: word.text, word: word, index: index))
                index += 1
            }
        }
        return tokens
    }

    private func phrase(in words: [NoteText.Word], at start: Int) -> (words: [String], role: NoteRole)? {
        phrases[words[start].text]?.first { phrase in
            guard start + phrase.words.count <= words.count else { return false }
            return phrase.words.indices.allSatisfy { offset in
                let word = words[start + offset]
                return word.text == phrase.words[offset] && (offset == 0 || !word.beginsPart)
            }
        }
    }

    private func role(of words: [NoteText.Word], at index: Int, after previous: NoteToken?) -> NoteRole {
        let word = words[index]
        if let role = single[word.text] { return role }
        if Self.isNumber(word.text) { return .number }
        let goesOn = index + 1 < words.count && words[index + 1].isJoined
        if word.isCapital && goesOn || word.isJoined && previous?.role == .slug { return .slug }
        return .unknown
    }

    /// Splits a word of a script without blanks; at each position the longest entry counts.
    private func appendParts(of word: NoteText.Word, _ index: Int, to tokens: inout [NoteToken]) {
        var rest = word.text.unicodeScalars[...]
        var isFirst = true
        while !rest.isEmpty {
            var role = rest.first?.properties.generalCategory == .decimalNumber ? NoteRole.number : .unknown
            var length = 1
            for count in stride(from: min(longestUnspaced, rest.count), through: 1, by: -1) {
                guard let known = unspaced[String(rest.prefix(count))] else { continue }
                role = known
                length = count
                break
            }
            // Only the first piece of a word can begin a part of the note.
            let part = isFirst ? word : NoteText.Word(text: word.text)
            tokens.append(NoteToken(role: role, text: String(rest.prefix(length)), word: part, index: index))
            rest = rest.dropFirst(length)
            isFirst = false
        }
    }

    /// Whether a word is a number or an item's number: `2`, `3rd`, `AAA123`, but not `A8`.
    private static func isNumber(_ word: String) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return word.utf8.first.map(digits.contains) ?? false
            || word.utf8.count > 3 && word.utf8.contains(where: digits.contains)
    }
}

/// The words of instructions.
///
/// Sources: stylebooks and handbooks of AP, Reuters, AFP and dpa, and the dictionary words of the other languages. Accents
/// are ignored, and phrases take precedence over their words.
extension NoteLexicon {
    static let entries: [(role: NoteRole, words: [String])] =
        [
            (.time, times), (.lifted, lifted), (.tail, tails), (.naming, namings), (.pending, pendings), (.lead, leads),
            (.reason, reasons), (.detail, details), (.use, uses), (.not, negations), (.this, demonstratives),
            (.picture, pictures), (.document, documents), (.story, stories),
        ] + orders

    private static let leads = [
        // English.
        "attention|attn|att|ed|eds|editor|editors|editorial|desk|desks|note|notes|to|all|clients|subscribers|customers|please|pls",
        "kindly|urgent|important|notice|advisory|mandatory|immediate|immediately|is|was|are|be|been|being|has|have|had|will|must",
        "should|an|the|of|for|from|by|on|in|our|your|we|you|it|and|or|now|yet|again|too|also|asap|further|any|s|aux|slug",
        "until further notice|for now|its|following|archives|databases|first|second|third|last|lead|take|update|updates|writethru|wrapup|text|bulletin|flash",
        "newsalert|apnewsalert|breaking|snap|urgent|test|stop press|websites|website|web|site|sites|platforms|systems",
        "servers|wire|byline",
        // Agencies.
        "ap|afp|reuters|dpa|efe|ansa|apa|ctk|tass|interfax|pap|mti|tt|ntb|ritzau|stt|anp|belga|lusa|xinhua|kyodo|jiji|yonhap|aap|pa",
        "upi|tasr|hina|tanjug|bta|agerpres|aa|irna|wam|pti|ani|antara|vna|bloomberg|aps|keystone|тасс|интерфакс|риа",
        "associated press|press association|agence france presse|deutsche presse agentur|thomson reuters|hacked|fake",
        // French, German.
        "redactions|redaction|svp|merci|de|la|le|les|l|d|du|des|a|au|aux|en|est|ete|sont|nous|veuillez|priere|plus|achtung|eil",
        "redaktionen|redaktion|bitte|hinweis|an|die|der|das|den|dem|ist|sind|wird|wurde|werden|wir|sofort|mehr|vorerst|noch|im",
        "bis auf weiteres|wichtig|sie|hat|aus|ihren|zurück|freigegeben|bestimmt|rogamos|della|dello|voor|ze|ленты|نرجو",
        // Spanish, Portuguese, Italian, Dutch.
        "los|el|editores|redactores|atencion|atencao|por|favor|de|se|ha|sido|es|fue|queda|han|sido|o|os|as|da|do|foi|attenzione",
        "redazioni|alle|alla|si|prega|di|il|lo|e|stata|stato|let|op|redacties|het|wordt|werd|gelieve|te|u|a.u.b.|aub|er",
        // Swedish, Danish, Norwegian, Finnish.
        "obs|till|til|redaktioner|redaktionerne|redaktionen|redaksjoner|redaksjonene|merk|vaer|venlig|venligst|vennligst|ar|har",
        "blivit|blir|bliver|er|det|den|vanligen|huom|on|saa|pois",
        // Polish, Czech, Slovak, Hungarian, Romanian, Greek, Turkish.
        "uwaga|redakcje|prosze|prosimy|jest|zostala|zostalo|zostal|pozor|poznamka|pozn|redakce|redakcie|upozorneni|upozornenie",
        "prosim|prosime|byla|bylo|byl|bola|bolo|je|sa|figyelem|kerjuk|az|atentie|va|rugam|fost|este|προσοχη|παρακαλω|η|το|dikkat",
        "lutfen|edildi|edilmistir|ediyoruz|edilmis|molimo",
        // Russian, Ukrainian, Bulgarian, Serbian.
        "вниманию|внимание|редакторам|редакций|редакциям|редакторов|просьба|просим|пожалуйста|срочно|было|была|считать|с|увага",
        "прохання|моля|молимо",
        // Arabic, Hebrew, Persian, Hindi.
        "يرجى|الرجاء|رجاء|انتباه|تنويه|ملاحظة|الى|السادة|المحررين|تم|עורכים|שימו|לב|נא|לעורכים|توجه|لطفا|شد|است|का|की|के",
        "को|कृपया|ध्यान|दें|गई|गया|लिया|ली",
        // Chinese, Japanese, Korean, Thai, Indonesian, Vietnamese.
        "请|請|前|编辑|編輯|注意|启事|啟事|の|は|を|が|と|に|も|ます|します|しました|です|ください|下さい|すること|いたします|为|以|播发|通知",
        "를|을|은|는|이|가|합니다|했습니다|됐습니다|됩니다|바랍니다|요망|알림|주의|하시기|해|주시기|주십시오|및|ข่าวด่วน|โปรด|mohon|harap|redaksi|xin",
    ]

    private static let stories = [
        "story|stories|item|items|dispatch|dispatches|copy|previous|earlier|headline|newsbreak",
        "depeche|nouvelle|precedente|precedent|meldung|meldungen|eilmeldung|fassung|vorherige|vorige|noticia|despacho",
        "teletipo",
        "anterior|notizia|lancio|dispaccio|precedente|nieuwsbericht|artikeln|nyhet|nyheten|telegrammet|texten|historie",
        "historien",
        "artiklen|nyhed|nyheden|melding|meldingen|artikkelen|juttu|jutun|uutinen|depesza|depesze|depeszy|wiadomosc",
        "zprava|zpravu|zpravy|predchozi|sprava|spravu|spravy|hir|hirt|hiret|stire|stirea|ειδηση|ειδησης|τηλεγραφημα",
        "επαναληψη",
        "haber|haberi|haberin|haberimiz|haberimizi|сообщение|сообщения|новость|заметка|заметку",
        "новину|новина|повідомлення|съобщение|vijest|vest|вест|вијест|خبر|الخبر|برقية|البرقية|السابق|السابقة|ידיעה",
        "הידיעה|खबर|समाचार",
        "稿|稿件|消息|前稿|新闻|新聞|记事|記事|原稿|配信|全文|速報|기사|전문|송고|전송|ข่าว|tin|berita",
    ]

    /// Names for the item that are also names of other things, which may be in the news.
    private static let documents = [
        "alert|alerts|article|articles|report|reports|file|post|message|version|versions|release|news|alerte|alerta|alarm",
        "information|info|papier|bericht|nachricht|artikel|beitrag|nota|informacion|articulo|materia|reportagem|articolo",
        "versione|versie|artiklar|telegram|saken|sak|artikkel|versjon|artikkeli|versio|informacja|wersja|clanek|verze",
        "verzia",
        "anyag|valtozat|material|materialul|материал|المادة|כתבה|הכתבה|报道|報道|報導|文章|보도|bai",
    ]

    private static let pictures = [
        "photo|photos|picture|pictures|image|images|graphic|video|foto|fotos|bild|bilder|bilden|bilde|写真|사진"
    ]

    private static let demonstratives = [
        "this|cette|ce|diese|dieser|dieses|esta|este|questa|questo|dit|deze|denna|detta|denne|tato|tuto|tento|ta|ez|ezt",
        "aceasta|acest|αυτη|bu|это|данное|эту|هذا|هذه|این|זו|यह|इस|此|该|該|本|这|這|この|이|해당|ini|nay",
    ]

    private static let negations = [
        "do not|don't|not|never|no|must not|not to be|should not|cannot|ne pas|ne|pas|nicht|nicht zur|keine|nao|non|niet|ej|inte",
        "far ej|far inte|ikke|ma ikke|skal ikke|ikkje|ma ikkje|ala|alkaa|ei|ei saa|nie|nem|nu|a nu|a nu se|μη|μην|να μη|να μην|не",
        "да не се|ne smije|لا|عدم|ليس|يمنع|לא|אין|न|khong|dung|jangan|tidak|勿|不要|不得|不|ห้าม|งด|อย่า|마|말|마십시오|마세요|말아",
    ]

    private static let uses = [
        "use|used|publish|published|publishing|run|air|broadcast|distribute|distribution|publication|utiliser|publier|diffuser",
        "utilisation|diffusion|tenir compte|tenere conto|tener conto|verwenden|verwendet|verwendung|veröffentlichen|veröffentlichung|nutzen|benutzen",
        "publizieren|senden|beachten|usar|utilizar|publicar|difundir|usen|utilicen|publiquen|publicacion|divulgar|usem",
        "utilizem|usare",
        "utilizzare|pubblicare|diffondere|da utilizzare|gebruiken|publiceren|publicatie|gebruik|använd|används|använda",
        "användas|publicera",
        "publiceras|bruges|anvendes|brug|bruk|brukes|brukast|publiceres|publiseres|offentliggøres|käytä|käyttäkö|käyttää|julkaista",
        "julkaistavaksi|julkaisko|uzywac|wykorzystywac|publikowac|hasznalja|hasznaljak|hasznalhato|kozolje|kozoljek|kozolheto",
        "utilizati|utiliza|folositi|folosi|publicati|publica|χρησιμοποιειτε|χρησιμοποιησετε|χρησιμοποιηθει|δημοσιευθει",
        "использовать|публиковать|использования|публикации|використовувати|публікувати|използвайте|използва|публикувайте",
        "koristiti|koristite|objavljivati|objaviti|користити|објављивати|uporabljajte|uporabljati|utilitzar|fer servir|تستخدم",
        "تنشر|النشر|نشر|للنشر|استخدام|الاستخدام|استعمال|לפרסם|לפרסום|לשימוש|להשתמש|su dung|dang|digunakan|dimuat|dipakai|disiarkan",
        "使用|刊发|刊發|刊登|发布|發布|发表|播发|播發|采用|採用|掲載|放送|사용|사용하지|게재|게재하지|보도하지|ใช้|เผยแพร่",
    ]

    private static let tails = [
        "because|at|due|before|as|which|moved|sent|transmitted|issued|filed|about|car|avant|weil|wegen|vor|antes|prima",
        "wegens",
        "innan|før|kvuli|poniewaz|porque|omdat|perche|pred|przed|перед",
    ]

    private static let namings = ["slugged|headlined|titled|labeled|entitled"]

    private static let pendings = [
        "pending|until|till|jusque|jusqu|bis|hasta|ate|fino|tot|fram till|indtil|inntil|asti|saakka|az do|до|pana la",
        "εως|μεχρι|kadar|حتى|עד|至|まで|까지|hingga|den khi",
        "at the request|at source s request|at the source s request|at request|on request",
    ]

    private static let reasons = [
        "error|errors|reason|reasons|wrong|mistake|mistakenly|incorrect|inaccurate|duplicate|duplicated|duplicates",
        "faulty|legal|defamation|libel",
        "broken|premature|prematurely|early|unverified|unconfirmed|hoax|erreur|erronee|errone|doublon|fehler|falsch|falsche",
        "falscher|falsches|fehlerhaft|irrtumlich|doppelt|gebrochen|erroneo|erronea|errores|duplicada|erro|erros",
        "errore|errori|fout|fouten|foutief|fel|felaktig|felaktigt|fejl|feil|virhe|virheellinen|blad|bledna|bledne|omylkowo|chyba",
        "chyby|chybna|chybne|omylem|omylom|hiba|hibas|teves|eroare|gresit|λαθος|hata|hatali|yanlis|ошибка|ошибки|ошибке|ошибочно",
        "опечатка|опечатки|помилка|помилково|грешка|pogreska|greska|خطأ|اشتباه|טעות|שגיאה|गलती|गलत|有误|有誤|错误|錯誤|误发|誤發",
        "誤り|誤報|誤配信|ミス|오류|오보|착오|salah|kesalahan|keliru",
    ]

    private static let details = [
        "name|names|spelling|date|dates|age|title|titles|typo|typos|number|figure|figures|amount|quote|quotes|attribution|dateline",
        "sentence|paragraph|paragraphs|para|paras|graf|grafs|graph|caption|gender|nom|noms|titre|chiffre|namen|alter|datum|titel",
        "zahl|zahlen|schreibweise|absatz|nombre|fecha|titulo|edad|parrafo|nome|nomes|titolo|naam|kop|namn|alder|rubrik|navn|alder",
        "dato|tittel|nimi|nazwisko|nazwiska|imie|daty|tytul|tytulu|jmeno|jmena|titulek|titulku|data|vek|udaj|udaje|meno|mena",
        "titulok|nev|cim|nume|titlu|ονομα|имя|имени|фамилия|фамилии|дата|даты|заголовок|заголовка|الاسم|שם|标题|標題|日期|姓名|見出し",
        "日付|氏名|제목|이름|nama|judul|tanggal",
    ]
}
