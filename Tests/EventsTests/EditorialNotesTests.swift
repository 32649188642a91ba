import Testing

@testable import NewsflashEvents

@Suite(.timeLimit(.minutes(1)))
struct EditorialNotesTests {
    private static let holds = [
        // English.
        "STORY WITHDRAWN", "(STORY WITHDRAWN)", "HOLD", "HOLD HOLD HOLD", "Hold until further notice", "MANDATORY KILL",
        "KILL", "KILL KILL KILL", "KILL, KILL, KILL", "Kill: wrong man", "PLEASE KILL", "Kill story", "EDS: KILL",
        "ATTENTION EDITORS: story withdrawn", "ATTENTION EDITORS - STORY WITHDRAWN", "RETRACTION", "Retracted",
        "Do not use", "NOT FOR USE", "Please do not use", "DON\u{2019}T USE", "This story has been withdrawn",
        "WITHDRAWN", "Withdraws story", "Withdrawal: wrong date", "<b>KILL</b>", "<p>Story <i>withdrawn</i></p>",
        "<!-- desk --> KILL", "&nbsp;HOLD", "1. KILL", "Bulletin: MANDATORY KILL", "Please disregard the previous item",
        "CORRECTS: (second) KILL previous", "Cancelled", "URGENT\nSTORY WITHDRAWN", "Editors\u{2019} note: kill",
        // French, German.
        "Annulation", "ANNULÉ", "ANNULE", "Dépêche annulée", "Ne pas utiliser", "SUPPRESSION",
        "ZURÜCKGEZOGEN", "Zuru\u{308}ckgezogen", "ACHTUNG Redaktionen: Bitte nicht verwenden",
        "Bitte nicht verwenden", "Stornierung", "Meldung zurückgezogen: falsche Zahl",
        // Spanish, Portuguese, Italian, Catalan, Dutch.
        "ANULADO", "Anulación", "ANULACION", "Retirada", "Nota retirada", "No publicar", "Anulação",
        "Não utilizar", "Notícia retirada", "Annullamento", "Notizia ritirata", "Non utilizzare",
        "No utilitzar", "Ingetrokken", "Niet gebruiken",
        // Scandinavia, Finland.
        "Återkallad", "ANVÄND EJ", "Tilbagetrukket", "Må ikke bruges", "Trukket tilbake",
        "Må ikke brukes", "Peruttu", "Ei saa julkaista",
        // Central and Eastern Europe.
        "Wycofano", "Anulowano", "Nie publikować", "Zrušeno", "ZRUSENO", "Stažení zprávy",
        "Stažená zpráva", "Nepoužívat", "Stiahnuté", "Nezverejňovať",
        "Visszavonva", "Ne használja", "Anulat", "Nu utilizați", "ΑΚΥΡΩΣΗ",
        "Ακύρωση", "Να μη χρησιμοποιηθεί", "Отозвано", "АННУЛИРОВАНО", "Не использовать", "Відкликано",
        "Не публікувати", "Оттеглено", "Povučeno", "Повучено",
        // Middle East, India, East Asia.
        "İptal", "KULLANMAYINIZ", "إلغاء", "الغاء", "سحب الخبر", "يرجى عدم النشر", "لغو خبر", "בוטל", "לא לפרסום",
        "रद्द", "उपयोग न करें", "撤稿", "取消", "【取消】", "请勿使用", "撤稿：日期有误", "記事取り消し", "使用禁止です", "취소", "기사취소",
        "ยกเลิก", "Không sử dụng", "Jangan digunakan",
    ]

    private static let corrections = [
        "CORRECTION", "CORRECTION: the name", "Corrects spelling", "CORRECTED", "Note to editors: CORRECTS",
        "Editors' note: corrects age", "Editors\u{2019} note: corrects", "EDITORS NOTE: Correct", "Eds: CORRECTS date",
        "Update 2: CORRECTS", "1. CORRECTS", "Second paragraph CORRECTS spelling", "<p>CORRECTS</p>", "&nbsp;CORRECTS",
        "Refile", "REFILE: typo", "REFILES", "Errata", "Erratum",
        "*** RECTIFICATIF ***", "Rectifié", "RECTIFIE", "ANNULE ET REMPLACE", "Annule et remplace la version",
        "Berichtigung: 2. Absatz", "Berichtigt: Alter", "Korrektur", "korrigiert", "Achtung: Korrektur",
        "Corrección", "CORRECCION", "Fe de erratas", "Correc\u{327}a\u{303}o", "Correção", "Rettifica",
        "ERRATA CORRIGE", "Rectificatie", "Rättelse", "RA\u{308}TTELSE: ålder", "Rettelse", "Rettet",
        "Rettet versjon", "Oikaisu", "Korjaus", "Sprostowanie", "Oprava jména", "Opravený titulek", "Korekcia",
        "Helyesbítés", "Rectificare", "Διόρθωση", "ΔΙΟΡΘΩΣΗ", "УТОЧНЕНИЕ", "Уточнена дата", "ИСПРАВЛЕНО",
        "Виправлено", "Поправка", "Ispravak", "Düzeltme", "تصحيح", "תיקון", "اصلاحیه", "सुधार", "更正：日期", "订正",
        "訂正", "【訂正】見出し", "お詫びと訂正", "정정", "바로잡습니다", "แก้ไข", "Đính chính", "Ralat",
    ]

    private static let others = [
        "", "* 7", "Withdrawal of troops explained in para 3", "Retirada de tropas de Cabul", "Retirada del producto",
        "Retrait des troupes expliqué", "Correctional officer quoted in para 3", "Correct at time of writing",
        "Corrective services spokesman added", "Killed are three", "killed 3", "Kills three",
        "Hold the line quotes added",
        "Holds talks", "Annulment hearing at 3pm", "Cancelled flights listed", "Opravář na místě",
        "UPDATES: a correction follows", "Updates with quotes", "UPDATES: adds 2 quotes, byline", "Adds background",
        "Zrušeno 200 letů", "取消航班的背景", "Rettet die Wale: Zitat",
        "Отозван посол: справка", "Retirado el torero", "Police: plot to kill the president explained",
        "Eds: story moved earlier", "Corrections minister quoted", "Suppression des postes: contexte",
        "With photos, video", "Attention editors: with photos", "Not withdrawn", "撤军背景",
    ]

    private static let notes = EditorialNotes()

    @Test(arguments: holds) func `a note holds the story`(_ note: String) {
        #expect(act(Self.notes, note) == .hold)
    }

    @Test(arguments: corrections) func `a note makes a correction`(_ note: String) {
        #expect(act(Self.notes, note) == .correction)
    }

    @Test(arguments: others) func `a note that only contains such words orders nothing`(_ note: String) {
        #expect(act(Self.notes, note) == nil)
    }

    @Test(arguments: NoteSamples.withdrawals + NoteSamples.doubtful + ReviewedNoteSamples.withdrawals)
    func `a withdrawal in the words of a newsroom holds the story`(_ note: String) {
        #expect(act(Self.notes, note) == .hold)
    }

    @Test(arguments: NoteSamples.corrections)
    func `a correction in the words of a newsroom makes a correction`(_ note: String) {
        #expect(act(Self.notes, note) == .correction)
    }

    @Test(arguments: NoteSamples.others + ReviewedNoteSamples.others + ReviewedNoteSamples.noEmbargoes)
    func `news about withdrawals and corrections orders nothing`(_ note: String) {
        #expect(act(Self.notes, note) == nil)
    }

    @Test(arguments: ReviewedNoteSamples.embargoes) func `an embargo in a note counts as an embargo`(_ note: String) {
        #expect(act(Self.notes, note) == .embargo)
    }

    @Test(
        arguments: [
            ("CORRECTED-Fed holds rates", .correction), ("UPDATE 2-CORRECTED-Fed holds rates", .correction),
            ("CORRECTED - Fed holds rates", .correction), ("(CORRECTED) Fed holds rates", .correction),
            ("[Corrected] Fed holds rates", .correction), ("REFILE-Fed holds rates", .correction),
            ("CORRECTION: Fed holds rates", .correction), ("WITHDRAWN-Fed holds rates", .hold),
            ("STORY WITHDRAWN: Fed holds rates", .hold), ("MANDATORY KILL - Fed holds rates", .hold),
            ("RÄTTELSE: Fed", .correction), ("訂正：連銀", .correction), ("<b>CORRECTED</b>-Fed", .correction),
            ("Correctional officer: the talks", nil), ("Hold: a thriller", nil), ("Kill Bill returns", nil),
            ("Kill: the new album", nil), ("COVID-19 deaths fall", nil), ("CANCELLED: OLYMPIC GAMES", nil),
            ("US-CHINA TALKS HOLD", nil), ("Withdrawn: three drugs", nil), ("Fed (CORRECTED)", .correction), ("", nil),
            ("(", nil), ("----", nil),
        ] as [(String, EditorialNotes.Act?)]
    )
    func `tags before a headline count as orders`(_ headline: String, _ act: EditorialNotes.Act?) {
        #expect(headlineAct(Self.notes, HTMLText.plain(headline)) == act)
    }

    @Test func `a source adds phrases, and its phrases can kill`() {
        let notes = EditorialNotes(hold: ["desk stop"], kill: ["Mandatory Kill", "gone:"], correction: ["nový údaj"])
        #expect(act(notes, "Please: DESK STOP now") == .hold)
        #expect(act(notes, "the desk stop") == .hold)
        #expect(act(notes, "MANDATORY KILL, correction follows") == .kill)
        #expect(act(notes, "Gone") == .kill)
        #expect(act(notes, "Gone with the wind") == nil)
        #expect(act(notes, "NOVY UDAJ") == .correction)
        #expect(act(notes, "STORY WITHDRAWN") == .hold)
        #expect(act(notes, "one two three four five six seven eight desk stop") == nil)
        #expect(headlineAct(notes, "MANDATORY KILL-Words") == .kill)
        #expect(EditorialNotes(kill: ["a"]) != EditorialNotes(kill: ["b"]))
        #expect(EditorialNotes(kill: ["a"]) == EditorialNotes(kill: ["A"]))
    }

    @Test(arguments: ["", ":", "<b></b>", "***"]) func `a phrase needs words`(_ text: String) {
        #expect(!EditorialNotes.isPhrase(text))
    }

    @Test(arguments: ["kill", "kill ", "kill: ", "<b", "<!--", "*", "取消", "\u{301}", "( "])
    func `a long note takes no longer than others`(_ piece: String) {
        let note = String(repeating: piece, count: 200_000)
        _ = act(Self.notes, note)
        _ = headlineAct(Self.notes, note)
        #expect(NoteText(note).words.count <= 32)
    }

    @Test func `a long note is cut at the border of a character`() {
        let text = "aé取😀e\u{301}\u{323}\r\n👨\u{200D}👩\u{200D}👧🇨🇿🇫🇷क्षि"
        let characters = Array(text)
        for bytes in 1...text.utf8.count {
            let cut = text.beginning(bytes: bytes)
            let count = cut.count
            #expect(Array(cut) == Array(characters.prefix(count)), "\(bytes) bytes")
            #expect(cut.utf8.count <= bytes)
            let next = characters.dropFirst(count).first.map { cut.utf8.count + String($0).utf8.count }
            #expect(next.map { $0 > bytes } ?? true, "\(bytes) bytes: another character fits")
        }
        #expect(text.beginning(bytes: text.utf8.count) == text)
        #expect("é".beginning(bytes: 1).isEmpty)
        // A single character that is longer than the limit.
        let accents = "e" + String(repeating: "\u{301}", count: 2000)
        #expect(Array(accents.beginning(bytes: 2048).utf8) == Array(accents.utf8.prefix(2047)))
    }

    @Test(
        arguments: [
            (#""ednote":"MANDATORY KILL""#, .hold), (#""edNote":"<b>KILL</b>""#, .hold),
            (#""genre":[{"name":"Correction"}]"#, .correction), (#""genres":[{"uri":"x","literal":"Kill"}]"#, .hold),
            (#""genre":[{"code":"genre:Retraction"}]"#, .hold), (#""genre":[{"name":"Current"}]"#, .update),
            (#""genre":["Correction"]"#, .correction), (#""genre":7,"ednote":7"#, .update),
            (#""headline":"CORRECTED-Words""#, .correction), (#""headline":"WITHDRAWN-Words""#, .hold),
            (#""ednote":"CORRECTS","genre":[{"name":"Kill"}]"#, .hold),
            (#""ednote":"MANDATORY KILL","pubstatus":"canceled""#, .kill),
            (#""edNote":"see below","ednote":"STORY WITHDRAWN""#, .hold), (#""EdNote":"STORY WITHDRAWN""#, .hold),
            (#""genre":"Kill""#, .hold), (#""genres":[],"genre":[{"name":"Kill"}]"#, .hold),
            (#""genre":{"name":"Kill"}"#, .hold), (#""Genre":["Kill"]"#, .hold), (#""signal":"kill""#, .hold),
            (#""signal":"sig:kill""#, .hold), (#""signal":{"qcode":"sig:kill"}"#, .hold),
            (#""signals":[{"uri":"http://cv.iptc.org/newscodes/signal/kill"}]"#, .hold),
            (#""headlines":[{"role":"main","value":"Quake"},{"role":"short","value":"WITHDRAWN-Quake"}]"#, .hold),
            (#""state":"killed""#, .kill), (#""status":"retracted""#, .kill), (#""withdrawn":true"#, .kill),
            (#""Status":"canceled""#, .hold), (#""state":"cancelled""#, .hold), (#""status":"withdrawn""#, .hold),
            (#""canceled":true"#, .hold), (#""status":"canceled","state":"killed""#, .kill),
            (#""withdrawn":"true""#, .kill), (#""withdrawn":false"#, .update), (#""status":"published""#, .update),
            (#""pubstatus":"usable","status":"canceled""#, .hold),
            (#""state":"withdrawn","pubstatus":"usable""#, .hold),
        ] as [(String, EventKind)]
    )
    func `notes, genres and headlines of an item decide its act`(_ members: String, _ kind: EventKind) {
        #expect(event(members)?.kind == kind)
    }

    @Test(arguments: [#"["quotes","KILL"]"#, #"{"en":"STORY WITHDRAWN"}"#])
    func `a note that is not a text counts as an order too`(_ note: String) {
        let text =
            #"{"uri":"u","version":"2","language":"en","headline":"H","subject":["world"],"#
            + #""versioncreated":"2026-03-02T12:10:00Z","ednote":\#(note)}"#
        let outcome = EventDecoder(defaultSource: "urn:wire", format: .ninjs).decode(bytes: Array(text.utf8))
        guard case .event(let event, _) = outcome else { return #expect(Bool(false)) }
        #expect(event.kind == .hold)
    }

    @Test func `an item with words that kill withdraws its story`() {
        var rules = SourceRules()
        rules.notes = EditorialNotes(kill: ["mandatory kill"])
        #expect(event(#""ednote":"MANDATORY KILL: wrong man","urgency":9"#, rules)?.kind == .kill)
        #expect(event(#""ednote":"PLEASE KILL""#, rules)?.kind == .hold)
    }

    private func event(_ members: String, _ rules: SourceRules = SourceRules()) -> NewsEvent? {
        let headline = members.contains(#""headline""#) ? "" : #""headline":"Words","#
        let text =
            #"{"uri":"u","version":"2","language":"en",\#(headline)"subject":["world"],"versioncreated":"2026-03-02T12:10:00Z","#
            + "\(members)}"
        let outcome = EventDecoder(defaultSource: "urn:wire", format: .ninjs, rules: rules)
            .decode(bytes: Array(text.utf8))
        guard case .event(let event, _) = outcome else { return nil }
        return event
    }

    private func act(_ notes: EditorialNotes, _ note: String) -> EditorialNotes.Act? {
        notes.orders(in: note).first?.act
    }

    private func headlineAct(_ notes: EditorialNotes, _ headline: String) -> EditorialNotes.Act? {
        notes.orders(inHeadline: headline).first?.act
    }
}
