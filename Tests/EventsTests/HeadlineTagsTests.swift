import Testing

@testable import NewsflashEvents

@Suite(.timeLimit(.minutes(1)))
struct HeadlineTagsTests {
    private static let notes = EditorialNotes()

    @Test(
        arguments: [
            "WITHDRAWN-Quake", "WITHDRAWN: Quake", "WITHDRAWN \u{2013} Quake", "WITHDRAWN / Quake", "WITHDRAWN. Quake",
            "WITHDRAWN Quake", "STORY WITHDRAWN: Quake", "STORY WITHDRAWN-Quake", "Story withdrawn: Quake",
            "(STORY WITHDRAWN) Quake", "[withdrawn] Quake", "{WITHDRAWN} Quake", "**WITHDRAWN** Quake",
            "***KILL*** Quake", "KILL: Quake", "BC-KILL-Quake", "URGENT-KILL: Quake", "BULLETIN KILL: Quake",
            "APNewsAlert KILL: Quake", "MANDATORY KILL: Quake", "MANDATORY KILL Quake", "DO NOT USE: Quake",
            "DO NOT PUBLISH - Quake", "NICHT VERWENDEN: Beben", "ZURÜCKGEZOGEN: Beben", "MELDUNG GESTRICHEN: Beben",
            "ANNULATION: séisme", "ANNULÉ-Séisme", "DÉPÊCHE ANNULÉE: séisme", "ZPRÁVA ZRUŠENA: zemětřesení",
            "HOLD-Quake", "HOLD FOR RELEASE: Quake", "Quake (WITHDRAWN)",
            "US-QUAKE/ (WITHDRAWN)", "TEXT-CORRECTED-UPDATE 1-WITHDRAWN-Quake", "撤稿：地震", "【撤稿】地震", "《撤稿》地震",
            "「撤稿」地震", "【取り消し】地震", "[기사취소] 지진", "[전문취소] 지진", "기사취소: 지진",
            "إلغاء خبر: زلزال", "АННУЛИРОВАНИЕ: землетрясение", "СООБЩЕНИЕ ОТОЗВАНО: землетрясение",
            "(KILL", "KILL",
        ] + ReviewedNoteSamples.withdrawalHeadlines
    )
    func `a tag holds the story`(_ headline: String) {
        #expect(Self.notes.orders(inHeadline: headline).first?.act == .hold)
    }

    @Test(
        arguments: [
            "CORRECTED-Quake", "CORRECTED-UPDATE 2-Quake", "UPDATE 2-CORRECTED-Quake", "REFILE-UPDATE 3-WRAPUP 5-Quake",
            "(CORRECTED) Quake", "[Corrected] Quake", "(Korr) Beben", "BERICHTIGUNG: Beben", "KORREKTUR - Beben",
            "RECTIFICATIF: séisme", "CORRECCIÓN: sismo", "OPRAVA: zemětřesení", "ИСПРАВЛЕНИЕ: землетрясение", "更正：地震",
            "〈訂正〉地震", "<訂正>地震", "（訂正）地震", "[정정] 지진", "Quake (CORRECTED)", "(تصحيح) زلزال",
        ]
    )
    func `a tag makes a correction`(_ headline: String) {
        #expect(Self.notes.orders(inHeadline: headline).first?.act == .correction)
    }

    @Test(
        arguments: [
            "Withdrawn: three drugs", "KILL BILL - a film", "Kill: the album", "KILL-SWITCH MANDATED FOR CARS",
            "HOLD: Aktie der Woche", "HOLD - Analysten", "HOLD-UP AT BANK", "RETRACTED: Lancet study",
            "CANCELLED: Glastonbury", "CANCELLED - Eurostar trains", "ANNULÉ: le concert", "ANNULÉ - Le Paris-Brest",
            "ANULADO: el gol de Messi", "STORNO: Das neue Gesetz", "STORNIERT: 200 Flüge", "PERUTTU: Ruisrock",
            "ÅTERKALLAS: 100 000 bilar", "ZRUŠENO: Festival", "STAŽENO: salám z trhu", "WYCOFANO: partia leku z aptek",
            "ANULOWANO: loty", "İPTAL: Maç", "ОТОЗВАНО: гражданство", "АННУЛИРОВАНО: решение суда",
            "إلغاء: رحلات مطار القاهرة", "تصحيح: أسعار النفط تهبط", "اصلاح: قانون جدید", "सुधार: सरकार का कानून",
            "संशोधन: बिल पारित", "修正：新法案", "撤回：提案", "取り消し：五輪", "취소: 올림픽", "정정: 법", "תיקון: חוק", "בוטל: הקונצרט",
            "INGETROKKEN: rijbewijs", "TILBAGEKALDT: Ost", "ANNULLATO: il concerto", "POVUČENO: lijek",
            "KOREKTA: na giełdzie", "KORJAUS: talot", "CORRECT: 7 of 10", "RETTET: 33 gruvearbeidere",
            "STOCK MARKET: CORRECTION", "WITHDRAWN TROOPS RETURN", "Withdrawn troops return", "TROOPS (Withdrawn)",
            "COVID-19 deaths fall", "TEST: Quake", "UPDATE 2-Quake", "(Reuters) Quake", "DO NOT USE LIFTS: POLICE",
            "Do not use: the worst words", "(ZRUŠENO) Festival", "【取消】会议", "(سحب) القوات", "[ביטול] טיסות", "-", "()",
            "*",
        ] + ReviewedNoteSamples.otherHeadlines
    )
    func `a headline of news with the same words has no tag`(_ headline: String) {
        #expect(Self.notes.orders(inHeadline: headline).first?.act == nil)
    }

    @Test(arguments: ReviewedNoteSamples.embargoHeadlines) func `a headline has an embargo`(_ headline: String) {
        #expect(Self.notes.orders(inHeadline: headline).first?.act == .embargo)
    }
}
