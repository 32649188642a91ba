/// The words that withdraw, restrict or correct.
extension NoteLexicon {
    static let orders: [(role: NoteRole, words: [String])] =
        [
            (order(.hold, .weak), weakHolds), (order(.hold, .weak, isVerb: true), weakHoldVerbs),
            (order(.hold, .strong), holds), (order(.hold, .strong, isVerb: true), holdVerbs),
            (order(.hold, .label), labelHolds), (order(.hold, .agency), agencyHolds),
            (order(.hold, .agency, isVerb: true), ["kill"]), (order(.embargo, .weak), weakEmbargoes),
            (order(.embargo, .agency), embargoes),
            (order(.correction, .weak), weakCorrections), (order(.correction, .strong), corrections),
            (order(.correction, .strong, isVerb: true), correctionVerbs),
            (order(.correction, .agency), agencyCorrections),
            (order(.correction, .agency, isVerb: true), ["corrected|refile|refiles|refiled"]),
            (.lead, ["correct spelling|kill fee|kill switch"]),
        ]

    private static func order(
        _ act: EditorialNotes.Act,
        _ strength: NoteOrder.Strength,
        isVerb: Bool = false
    ) -> NoteRole {
        .order(NoteOrder(act: act, strength: strength, isVerb: isVerb))
    }

    /// Words that are as common in news.
    private static let weakHolds = [
        "killed|cancelled|canceled|cancellation|void|suspended|removed|deleted|pulled|withheld|held|falschmeldung",
        "retrait|suspendre|en attente|gestrichen|streichung",
        "storno|storniert|stornierung|gesperrt|sperre|geloscht|rückruf|hinfällig|retirada|retirado|retirat|cancelado|cancelada",
        "suspendida|suspendido|cancelamento|ritirato|ritirata|ritiro|geannuleerd|vervallen|vervalt|återkallas|återkallande",
        "dras tillbaka|dragits tillbaka|makuleras|makulerad|stoppas|stoppa|stoppad|annulleras|trukket|trekkes|stanset",
        "peruttu|peruutus|peruutettu|perutaan|vedetty pois|vedetään pois|poistettu|wycofano|wycofana|wycofany|wycofane",
        "wycofanie|wycofujemy|zrušeno|zrušena|zrušen|zrušené|zrušená|zrušený|zrušení|staženo|stažena|stažen|stažená|stažené|stažení",
        "ruší|odvoláno|odvolána|odvoláváme|neplatí|neplatná|stiahnuté|stiahnutá|stiahnutie|zrušenie|umaknjeno|törölve|törölt|anulat|anulată|retras|retrasă",
        "ακυρωθηκε|ακυρο|αποσυρθηκε|iptal|geri çekildi|geri çekilmiştir|kaldırıldı|отозвана|отозван|отзыв|отзываем|снято|снять",
        "снимаем|отмена|отменено|удалено|скасовано|видалено|анулирано|povučeno|povučena|повучено|إلغاء|الإلغاء|يلغى|ملغى|ملغي|ملغاة|سحب|حذف",
        "لغو|בוטל|בוטלה|מבוטל|מבוטלת|ביטול|הוסר|הוסרה|נמשך|נמשכה|वापस|रद्द|撤回|取消|撤销|撤銷|暂停|暫停|停用|暂缓|暫緩|停止|删除|刪除|禁止",
        "取り消す|取り消され|見合わせ|保留|差し止め|差止め|中止|취소|삭제|보류|철회|금지|ยกเลิก|ถอน|hủy|huỷ|rút|thu hồi|dibatalkan|ditarik",
        "is false|was false|is fake|is untrue|est fausse|est faux|es falsa|es falso|e falsa|e falso|ar falsk|er falsk",
        "pembatalan|penarikan|utgår|vedetty|снята|снят|تلغى|לבטל|不用|削除|batal",
    ]

    private static let weakHoldVerbs = [
        "cancel|remove|ignore|pull|withhold|withholding|kills|killing|ignorieren|ignorar|ignoren|ziehen|zieht",
        "drar tillbaka|trekker|trækker|vetää|stahuje|retira|retiran|retiramos|eliminar|cancelar|eliminare|verwijderen",
        "verwijder|slettes|slett|zrušte",
        "stáhněte|stahujeme|rušíme|zrušit|zrušte|zrušiť|stiahnite|anulati|trekt|تجاهل",
    ]

    private static let holds = [
        "withdrawal|retraction|retracted|on hold|takedown|spiked|delete",
        "sent in error|transmitted in error|moved in error|published in error|issued in error|sent by mistake",
        "moved by mistake",
        "published by mistake|issued by mistake|transmitted by mistake|no longer valid|deletion|annulé|annulée|annulés",
        "retiré|retirée|retirés",
        "supprimé|supprimée|suppression|suspendu|zurueckgezogen|annulliert|annullierung|gegenstandslos|anulado|anulada|retractación",
        "retratação|annullato|annullata|ritrattazione|ingetrokken|intrekking|återkallad|återkallat|återtagen|annullerad",
        "tillbakadragen|tillbakadraget|niewykorzystywanie|tilbagetrukket|tilbagekaldt|tilbaketrukket|trukket tilbage",
        "trukket tilbake|trækkes tilbage|trekkes tilbake|trekt tilbake",
        "trekkes|annullert|annulleret|annulleres|anulowano|anulowana|anulowany|anulacja|nieuzywanie|niepublikowanie",
        "anulace|anulováno|anulována|nepoužívat|nepoužívejte|nezveřejňovat|nezveřejňujte|nepublikovat|nepublikujte|nevydávat",
        "nevydávejte|nepoužijte|nepoužívať|nepoužívajte|nezverejňovať|nezverejňujte|visszavonva|visszavont|visszavonás|visszavontuk",
        "visszavonjuk|visszavonja|ακυρωση|ακυρωνεται|αποσυρεται|αποσυρση|kullanmayın|kullanmayınız|kullanılmasın|yayınlamayın|yayımlamayın",
        "yayınlamayınız|yayından kaldırıldı|dikkate almayınız|отозвано|аннулировано|аннулирована|аннулирован|аннулируется|снято с ленты",
        "недействительным|недействительно|відкликано|анульовано|оттеглено|анулиране|poništeno|استفاده نشود|منتشر نشود|वापस ली गई",
        "वापस लिया गया|उपयोग न करें|इस्तेमाल न करें|प्रकाशित न करें|停发|停發|缓发|緩發|作废|作廢|取り消します|使用不可|使用しないで|使わないで|取り消し|取消し",
        "勿发|勿發|掲載しないで|撤稿",
    ]

    private static let holdVerbs = [
        "hold|withdraw|withdraws|withdrawing|unpublish|depublish|retract|retracts|retracting|take down|spike|disregard",
        "annuler|annulez|supprimer|supprimez|retirer|retirez|retirons|annulons",
        "löschen|zurückziehen|zurückhalten|stornieren|anular|anula|anulen|anulamos|desconsiderar|desconsiderem|desconsidere|annullare",
        "desestimar|desestimen|retirar do ar",
        "anulować|anulujemy|anuluje|аннулировать|аннулируйте|аннулируем|аннулирует|анулювати",
    ]

    /// Headings of agencies, which also count before a headline. Sentences can begin with them: `Anulación del juicio`.
    private static let labelHolds = [
        "annulation|zurückziehung|anulación|anulação|annullamento|аннуляция|аннулирование"
    ]

    private static let agencyHolds = ["withdrawn|mandatory kill|hold for release|zurückgezogen|撤稿"]

    private static let weakCorrections = [
        "correct|corrections|rettet|rettar|rättar|retter|retting|opravuje|opravujeme|opraveno|corretto|corretta|修正|수정|korjaa",
        "اصلاح|إصلاح|सुधार|संशोधन|corregir|rectifica|rectifie|retifica",
    ]

    private static let corrections = [
        "corr|corrective|errata|rectificatifs|rectification|rectificative|rectifié|rectifiée|correctif|corrigé",
        "corrigée|berichtigungen|berichtigt|berichtigte|korrekturen|korrigiert|korrigierte|richtigstellung|neufassung|korr",
        "correcciones|corregido|corregida|rectificación|fe de errata|correções|corrigido|corrigida|retificação|rettifiche",
        "rettificato|rettificata|correzioni|correcció|rectificació|correctie|correcties|gecorrigeerd|gecorrigeerde|herstelbericht",
        "herziene versie|rättelser|rättad|rättat|korrigering|korrigerad|korrigerar|rettelser|korrektion|korreksjon|korrigeret",
        "korrigert|berigtigelse|oikaisut|oikaistu|korjaus|korjaukset|korjattu|sprostowania|korekta|poprawka|poprawione",
        "poprawiona|poprawiono|popr|opravena|opravená|opravený|opravené|korekce|korekcia|popravek|javítás|javítva|javított",
        "helyreigazítás|korrekció|rectificare|rectifică|corectare|corectură|corecție|corectat|corectată|erată|διορθωσεις",
        "διορθωμενο|διορθωμενη|διορθωνεται|ορθη επαναληψη|düzeltildi|düzeltilmiş|düzeltiyor|tashih|исправления|исправлением",
        "исправлено|исправлена|исправлен|исправленная|исправленный|уточнение|уточнения|уточнено|уточнена|уточнен|уточненная",
        "поправка|корректировка|коррекция|виправлено|виправлена|уточнення|корекция|ispravljeno|исправљено|تصحيح|تصويب|مصحح|مصححة",
        "استدراك|اصلاحیه|اصلاحية|תיקון|תוקן|מתוקן|תוקנה|संशोधित|भूल सुधार|शुद्धि|शुद्धिपत्र|差し替え|差替え|お詫び|正誤|정정|바로잡습니다|바로잡음",
        "แก้ไข|sửa lỗi|koreksi",
    ]

    private static let correctionVerbs = [
        "corrects|correcting|refiling|corrige|bien lire|annule et remplace|annule et corrige|remplace et annule",
        "anula y sustituye|anula e substitui|annulla e sostituisce|corregge",
    ]

    /// The tags of corrections, which also count before a headline.
    private static let agencyCorrections = [
        "correction|erratum|rectificatif|berichtigung|korrektur|corrección|fe de erratas|fe de errores|correção|rettifica",
        "errata corrige|correzione|rectificatie|rättelse|rettelse|oikaisu|sprostowanie|oprava|helyesbítés|διορθωση|düzeltme",
        "исправление|виправлення|ispravak|ispravka|исправка|更正|订正|訂正|勘误|勘誤|đính chính|ralat",
    ]
}

/// The words of embargoes. Their times are not parsed: a person decides.
extension NoteLexicon {
    /// The word that also means a ban on trade: it counts if its part of the note contains nothing else except a time.
    static let weakEmbargoes = [
        "embargo|embargos|embargó|embargu|эмбарго|ембарго|ambargo|εμπάργκο|امبارجو|אמברגו|אמבארגו|एम्बार्गो|एंबार्गो",
        "not before|nicht vor|pas avant|no antes|não antes|non prima|ikke før|inte före|解禁|エンバーゴ|엠바고|禁发|เอ็มบาร์โก",
    ]

    static let embargoes = [
        "embargoed|under embargo|press embargo|news embargo|media embargo|strict embargo|strictly embargoed|embargo time",
        "embargo date|sous embargo|bajo embargo|embargado|embargada|sob embargo|sotto embargo|onder embargo|under embargo",
        "sperrfrist|sperrfristen|sperrvermerk|unter sperrfrist|mit sperrfrist|klausuleret|spærrefrist|sperrefrist",
        "spärrfrist",
        "julkaisuvapaa|embargon alainen|pod embargiem|pod embargem|sub embargo|ambargolu|под эмбарго|під ембарго",
        "حظر النشر|محظور النشر|解禁日時|解禁時間|報道解禁|解禁时间|보도 유예|보도유예",
    ]

    /// Words of times; numbers are not listed.
    static let times = [
        "monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun",
        "january|february|march|april|june|july|august|september|october|november|december|jan|feb|apr|jun|jul|aug|sep|sept",
        "oct|nov|dec|noon|midday|midnight|today|tonight|tomorrow|morning|evening|gmt|utc|cet|cest|est|edt|bst|msk|am|pm",
        "hrs|hours",
        "hour|local time|time|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|januar|februar|märz",
        "mai|juni",
        "juli|oktober|dezember|uhr|mittag|mitternacht|morgen|heute|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche",
        "janvier",
        "février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|heures|heure|midi|minuit|demain|lunes",
        "martes",
        "miércoles|jueves|viernes|sábado|domingo|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre",
        "noviembre",
        "diciembre|horas|medianoche|mediodía|mañana|segunda feira|terça feira|quarta feira|quinta feira|sexta feira|janeiro",
        "fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro|amanhã|lunedì|martedì|mercoledì|giovedì",
        "venerdì",
        "sabato|domenica|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|ore|mezzanotte|mezzogiorno",
        "domani|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|januari|februari|maart|mei|augustus|uur",
        "middernacht",
        "måndag|tisdag|onsdag|torsdag|fredag|lördag|söndag|mandag|tirsdag|lørdag|søndag|kl|klockan|klokken|klo|maanantai",
        "tiistai",
        "keskiviikko|torstai|perjantai|lauantai|sunnuntai|poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela|godz",
        "godziny|pondělí|úterý|středa|čtvrtek|pátek|neděle|pondelok|utorok|streda|štvrtok|piatok|nedeľa|hod|hodin|hodiny",
        "óra|ora",
        "órakor|понедельник|понедельника|вторник|вторника|среда|среды|четверг|четверга|пятница|пятницы|суббота|субботы",
        "воскресенье|воскресенья|января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря|час",
        "часа|часов",
        "мск|год|години|saat|الساعة|غدا|שעה|年|月|日|時|时|分|点|午前|午後|上午|下午|년|월|일|시|분|오전|오후",
    ]

    /// Words for an embargo that is over or does not exist.
    static let lifted = [
        "none|nil|lifted|ended|expired|removed|over|free|na|keine|entfällt|aufgehoben|abgelaufen|frei|aucun|aucune|levé",
        "levée",
        "ninguno|ninguna|levantado|nenhum|nessuno|nessuna|geen|opgeheven|ingen|opphevet|ophævet|hävd|žádné|žádný|zrušeno",
        "brak|нет",
        "снято|немає|無|无|なし|없음|해제",
    ]
}
