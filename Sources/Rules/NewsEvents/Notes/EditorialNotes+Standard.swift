/// The phrases that hold for every source.
///
/// A `+` before a phrase lets it begin at any of the first words; others begin a part of the note. A colon after it: nothing
/// else is in the part, because the words are news as often (`Withdrawal of troops`). A `=` before it: it also counts as a tag
/// before a headline, as all corrections do. Sources: stylebooks and handbooks of AP, Reuters, AFP and dpa, and the dictionary
/// words of the other languages.
extension EditorialNotes {
    static let standardPhrases: [NotePhrase] =
        phrases(holds, .hold) + phrases(corrections, .correction)

    private static func phrases(_ lists: [String], _ act: Act) -> [NotePhrase] {
        lists.flatMap { $0.split(separator: "|") }.compactMap { entry in
            let isAnywhere = entry.hasPrefix("+")
            let isTag = act == .correction || entry.hasPrefix("=")
            let text = isAnywhere || entry.hasPrefix("=") ? entry.dropFirst() : entry
            return NotePhrase(String(text), act, place: isAnywhere ? .anywhere : .start, isHeadlineTag: isTag)
        }
    }

    /// Words before a phrase that belong to no news: salutations, requests, the place of what is corrected.
    static func isLeading(_ word: String) -> Bool {
        leading.contains(word) || word.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static let leading = Set(
        """
        attention attn att eds ed editor editors editorial desk desks note notes to all clients subscribers please pls kindly \
        urgent important notice advisory mandatory immediate this is update item story article dispatch report headline lead \
        para paragraph graf graph caption slug byline version first second third last s aux redactions redaction svp merci de \
        nota noticia priere achtung eil redaktionen redaktion bitte hinweis an die los editores redactores atencion atencao \
        por favor attenzione redazioni alle si prega di let op redacties obs till til redaktioner redaktionerne redaktionen \
        redaksjoner redaksjonene merk vaer venligst vennligst vanligen huom pozor poznamka pozn redakce redakcie upozorneni \
        upozornenie prosim prosime uwaga redakcje prosze figyelem atentie va rugam προσοχη παρακαλω вниманию внимание \
        редакторам редакций редакциям редакторов просьба просим пожалуйста срочно увага редакторам прохання dikkat lutfen \
        يرجى انتباه تنويه ملاحظه الى السادة المحررين עורכים שימו לב נא לעורכים توجه لطفا कृपया ध्यान दें
        """.split(separator: " ").map(String.init)
    )

    private static let holds = [
        // English.
        "=kill:|kill story|kill this|kill item|kill previous|kill bulletin|kill notice|kill headline|kill the story",
        "=mandatory kill|=story killed|+mandatory kill|+please kill|=story withdrawn|+story withdrawn|+story is withdrawn",
        "+story has been withdrawn|+story was withdrawn|+article withdrawn|+item withdrawn|=withdrawn:|withdrawn story",
        "withdraws story|withdraw story|withdraw this|withdraw:|withdraws:|withdrawal:|+has been withdrawn by|+withdrawn from wire",
        "=retraction:|=retracted:|=story retracted|retracts story|retract story|retract:|+story has been retracted",
        "=hold:|+hold until further notice|+please hold|hold story|hold this|hold item|hold for now|hold headline",
        "+do not use|+do not publish|+do not run|+do not air|+don't use|+don't publish|+not for use|+not for publication",
        "+must not be used|+please disregard|disregard:|disregard previous|cancelled:|canceled:|+story cancelled|+story canceled",
        // French.
        "=annulation:|=annulé:|=annulée:|annuler:|=dépêche annulée|+dépêche annulée",
        "+article annulé|+ne pas utiliser|+ne pas publier|+ne pas diffuser|+à ne pas utiliser|suppression:|retiré:",
        "retirée:|retrait:|+dépêche retirée|+article retiré|suspendu:|suspendre:|en attente:",
        // German.
        "=zurückgezogen:|=zurueckgezogen:|+meldung zurückgezogen|+bericht zurückgezogen|+wird zurückgezogen",
        "zurückziehung:|zurückziehen:|=stornierung:|=storniert:|annulliert:|annullierung:|+nicht verwenden",
        "+nicht veröffentlichen|+nicht zur veröffentlichung|+nicht nutzen|gesperrt:|+meldung gesperrt",
        "+meldung storniert|zurückhalten:|+bitte zurückhalten|rückruf der meldung",
        // Spanish, Portuguese, Italian, Catalan.
        "=anulado:|=anulada:|=anulación:|anular:|+nota anulada|+noticia anulada|retirado:|retirada:|+nota retirada",
        "+noticia retirada|+no usar|+no utilizar|+no publicar|+no difundir|cancelado:|cancelada:|retractación:|eliminar:",
        "=anulação:|+notícia retirada|+não usar|+não utilizar|+não publicar|+não divulgar",
        "retratação:|=annullato:|=annullata:|=annullamento:|+notizia annullata|ritirato:|ritirata:|ritiro:",
        "+notizia ritirata|+non usare|+non utilizzare|+non pubblicare|ritrattazione:|retirat:|+no fer servir|+no utilitzar",
        // Dutch.
        "=ingetrokken:|intrekking:|+bericht ingetrokken|+artikel ingetrokken|+niet gebruiken|+niet publiceren|geannuleerd:",
        "vervallen:|+bericht vervalt",
        // Swedish, Danish, Norwegian, Finnish.
        "=återkallad:|=återkallas:|återkallande:|återtagen:|+dras tillbaka|+använd ej|+använd inte",
        "+får ej användas|+får inte användas|+publicera inte|+publicera ej|makuleras:|makulerad:|stoppad:",
        "=tilbagetrukket:|=tilbagekaldt:|+trukket tilbage|+må ikke bruges|+må ikke anvendes|+brug ikke|annulleret:",
        "annulleres:|+må ikke publiceres|=tilbaketrukket:|trukket:|+trukket tilbake|+må ikke brukes|+skal ikke brukes",
        "+må ikke publiseres|annullert:|annulleres:|=trekt tilbake|+må ikkje brukast",
        "=peruttu:|peruutettu:|peruutus:|+juttu peruttu|+älä käytä|+älkää käyttäkö",
        "+ei saa käyttää|+ei julkaistavaksi|+ei saa julkaista|+vedetty pois",
        // Polish, Czech, Slovak, Slovenian.
        "=wycofano:|wycofane:|wycofana:|wycofany:|wycofanie:|=anulowano:|anulowana:|anulacja:|+depesza wycofana",
        "+depesza anulowana|+nie używać|+nie publikować|+nie wykorzystywać",
        "=zrušeno:|zrušena:|zrušení zprávy|+zpráva zrušena|=staženo:|stažena:",
        "=stažená zpráva|+zpráva stažena|stažení zprávy|stažení:|storno:",
        "+nepoužívat|+nepoužívejte|+nezveřejňovat|+nezveřejňujte|+nepublikovat",
        "=zrušené:|stiahnuté:|stiahnutá:|+správa stiahnutá|stiahnutá správa",
        "+nepoužívať|+nepoužívajte|+nezverejňovať|+nezverejňujte|umaknjeno:",
        // Hungarian, Romanian, Greek, Turkish.
        "=visszavonva:|visszavont:|visszavonás:|törölve:|+ne használja|+nem használható",
        "+ne közölje|+nem közölhető|+kérjük ne|=anulat:|anulată:|retras:|retrasă:",
        "+știre retrasă|+știre anulată|+nu utilizați|+nu folosiți|+a nu se utiliza",
        "+nu publicați|=ακυρωση:|=ακυρωθηκε:|ακυρο:|αποσυρση:|αποσυρεται:|αποσυρθηκε:|+μη χρησιμοποιειτε",
        "+μη χρησιμοποιησετε|+να μη χρησιμοποιηθει|+να μην χρησιμοποιηθει|+να μη δημοσιευθει|+να μην δημοσιευθει",
        "=iptal:|+iptal edildi|+haber iptal|+geri çekildi|kullanmayın:|+kullanmayınız|+kullanılmasın",
        "+yayınlamayın|+yayımlamayın",
        // Russian, Ukrainian, Bulgarian, Croatian and Serbian.
        "=отозвано:|отозвана:|отозван:|отзыв:|+сообщение отозвано|+новость отозвана|+материал отозван|=аннулировано:",
        "аннулирована:|аннулирован:|аннулировать:|аннулируется:|аннуляция:|+сообщение аннулировано|+новость аннулирована",
        "+не использовать|+не публиковать|снято:|снять:|=відкликано:|+повідомлення відкликано|+новину відкликано",
        "=анульовано:|скасовано:|+не використовувати|+не публікувати|=оттеглено:|анулирано:|+не използвайте",
        "+да не се използва|+не публикувайте|=povučeno:|povučena:|+vijest povučena|+ne koristiti|+ne objavljivati",
        "=повучено:|+не користити|+не објављивати",
        // Arabic, Persian, Hebrew.
        "=إلغاء:|ملغى:|ملغي:|سحب:|سحب الخبر|إلغاء الخبر|+خبر ملغى|+تم سحب الخبر|+تم إلغاء الخبر|+لا تستخدم|+لا تنشر",
        "+عدم الاستخدام|+عدم استخدام|+عدم النشر|+عدم نشر|+ليس للنشر|لغو:|لغو خبر|+خبر لغو|لغو شد|+استفاده نشود|+منتشر نشود",
        "=בוטל:|מבוטל:|ביטול:|+הידיעה בוטלה|+ידיעה בוטלה|+לא לשימוש|+לא לפרסום|+לא לפרסם|+לא להשתמש|הוסר:|נמשך:",
        // Hindi.
        "+वापस लिया गया|+वापस ली गई|+खबर वापस|रद्द:|+खबर रद्द|+उपयोग न करें|+इस्तेमाल न करें|+प्रकाशित न करें",
        // Chinese, Japanese, Korean, Thai.
        "=撤稿|=撤回:|撤回稿件|撤回报道|撤回報道|取消:|取消稿件|取消报道|取消報道|作废|作廢|撤销:|撤銷:|暂停使用|暫停使用|+请勿使用|+請勿使用",
        "+请勿刊发|+請勿刊登|+请勿发布|暂缓|暫緩|停用:|=取り消し:|=取消し:|記事取り消し|記事取消|取り消し記事|配信取り消し|配信停止|使用不可",
        "使用禁止|+使用しないで|+掲載しないで|掲載見合わせ|掲載中止|見合わせ:|=취소:|기사 취소|기사취소|전문 취소|전문취소|+사용 금지|+사용금지",
        "+사용하지 마|보류:|철회:|기사 철회|기사 삭제|=ยกเลิกข่าว|ยกเลิก:|ห้ามใช้|ห้ามเผยแพร่|งดใช้",
        // Vietnamese, Indonesian.
        "rút tin|hủy tin|thu hồi:|+không sử dụng|+không đăng|dibatalkan:",
        "+berita ditarik|+berita dibatalkan|+jangan digunakan|+jangan dimuat",
    ]

    private static let corrections = [
        // English.
        "correction|corrections:|corrections to|corrections in|corrects|corrected|correcting|correct:|correct version|corr:",
        "refile|refiles|refiled|refiling|erratum|errata|+this is a correction|+this is a corrected",
        // French.
        "rectificatif|rectificatifs|rectification|rectificative|rectifié|rectifiée|rectifie|corrige|corrigé",
        "corrigée|correctif|version corrigée|+annule et remplace|+annule et corrige|+remplace et annule",
        // German.
        "berichtigung|berichtigungen|berichtigt|berichtigte|korrektur|korrekturen|korrigiert|korrigierte|korr:|richtigstellung",
        // Spanish, Portuguese, Italian, Catalan.
        "corrección|correcciones|corregido|corregida|corregir:|rectificación|rectifica|fe de errata|fe de erratas",
        "fe de errores|anula y sustituye|correção|correções|corrigido|corrigida|retificação|retifica",
        "anula e substitui|rettifica|rettifiche|rettificato|rettificata|correzione|correzioni|corregge|corretto:|corretta:",
        "annulla e sostituisce|correcció|rectificació",
        // Dutch.
        "correctie|correcties|rectificatie|gecorrigeerd|gecorrigeerde|herstelbericht|herziene versie",
        // Swedish, Danish, Norwegian, Finnish.
        "rättelse|rättelser|rättad|rättat|rättar|korrigering|korrigerad|korrigerar|rettelse|rettelser",
        "rettet:|rettet version|rettet versjon|rettar:|retting|korrektion|korreksjon|korrigeret|korrigert|berigtigelse",
        "oikaisu|oikaisut|oikaistu|korjaus|korjaukset|korjattu|korjaa",
        // Polish, Czech, Slovak, Slovenian.
        "sprostowanie|sprostowania|korekta|poprawka|poprawione|poprawiona|poprawiono|popr:|oprava|opraveno|opravena",
        "opravená|opravený|opravené|opravujeme|korekce|korekcia|opravená verzia|popravek",
        // Hungarian, Romanian, Greek, Turkish.
        "helyesbítés|javítás|javítva|javított|helyreigazítás|korrekció|rectificare",
        "rectifică|corectare|corectură|corecție|corectat|corectată|erată|διορθωση|διορθωσεις",
        "διορθωμενο|διορθωνεται|ορθη επαναληψη|düzeltme|düzeltildi|düzeltilmiş|düzeltiyor|tashih",
        // Russian, Ukrainian, Bulgarian, Croatian and Serbian.
        "исправление|исправления|исправлено|исправлена|исправлен|исправленная|исправленный|уточнение|уточнения|уточнено",
        "уточнена|уточнен|уточненная|поправка|корректировка|коррекция|виправлення|виправлено|виправлена|уточнення",
        "корекция|ispravak|ispravka|ispravljeno|исправка|исправљено",
        // Arabic, Persian, Hebrew.
        "تصحيح|تصويب|مصحح|مصححة|استدراك|اصلاح|اصلاحیه|اصلاحية|תיקון|תוקן|מתוקן|תוקנה",
        // Hindi.
        "सुधार|संशोधन|संशोधित|भूल सुधार|शुद्धि|शुद्धिपत्र",
        // Chinese, Japanese, Korean, Thai.
        "更正|订正|訂正|勘误|勘誤|修正:|差し替え|差替え|お詫びと訂正|正誤|정정|수정:|바로잡습니다|바로잡음|고침|แก้ไข",
        // Vietnamese, Indonesian.
        "đính chính|sửa lỗi|ralat|koreksi",
    ]
}
