/// Orders and news from an external review, in addition to ``NoteSamples``.
enum ReviewedNoteSamples {
    /// Notes that withdraw the item.
    static let withdrawals = [
        "Please disregard the earlier version", "Kindly ignore our previous story", "Story pulled",
        "This story has been pulled", "We have pulled this story", "Pulled by editors", "PULL STORY",
        "Please remove this story from your websites", "Please delete this item from all systems",
        "REMOVE FROM ALL PLATFORMS", "UNPUBLISH", "Please unpublish", "Do not run", "NOT FOR PUBLICATION",
        "Not to be published", "NOT FOR BROADCAST", "Do not broadcast or publish this story until further notice",
        "STOP PRESS: do not use", "WITHHOLD", "Withhold this story", "Hold pending legal review",
        "Legal hold - do not use", "Under legal review, do not publish", "This item is embargoed, do not use",
        "BULLETIN KILL: Editors: kill BC-Quake", "EDITORS: Withdraw story quake",
        "We withdraw the story slugged Quake", "The story slugged Quake is withdrawn",
        "The story headlined Quake has been withdrawn",
        "The Associated Press has withdrawn its story about the quake", "AP has withdrawn its story about a quake",
        "Reuters is withdrawing a story about", "Reuters has withdrawn a story headlined",
        "The AP is withdrawing a story", "The following story is killed",
        "Previous version was incorrect, do not use", "Story is wrong, do not use", "False alarm: kill this",
        "Hacked: do not publish", "This alert was sent in error", "Sent by mistake", "Published by mistake",
        "Issued in error, please ignore", "A previous alert was incorrect. Please disregard.", "This alert is false",
        "RETRACTED", "ADVISORY: kill", "Mandatory Kill", "(KILL)", "[KILL]", "***KILL***", "Kill.", "KILL - legal",
        "Withdrawn - legal", "WITHDRAWN pending confirmation", "Withdrawn at source's request",
        "Story withdrawn at the request of the family", "Withdrawn: the source has denied",
        "Removed for legal reasons", "Void - duplicate", "Meldung bitte zurückhalten",
        "Bitte die Meldung zurückziehen", "Diese Meldung ist hinfällig", "Meldung gesperrt",
        "Nicht zur Veröffentlichung", "NICHT SENDEN", "Bitte nicht senden", "Nicht zur Verwendung freigegeben",
        "Achtung: Falschmeldung, bitte löschen", "Falschmeldung", "Bitte Meldung ignorieren",
        "Bitte beachten Sie die vorherige Meldung nicht", "A ANNULER", "A ne pas utiliser",
        "Ne plus utiliser cette dépêche", "Merci de ne pas tenir compte de cette dépêche", "Cette alerte est annulée",
        "Alerte erronée, ne pas diffuser", "Merci de supprimer cette dépêche", "Dépêche à supprimer",
        "Suspendre la diffusion", "EN ATTENTE - ne pas diffuser", "Ne pas tenir compte", "Se anula el despacho",
        "Queda anulada la noticia", "Rogamos no difundir", "Esta alerta es falsa", "Anulen la noticia anterior",
        "Desestimar la información", "Favor de ignorar el despacho anterior", "NÃO PUBLICAR",
        "Favor desconsiderar a matéria", "Anular notícia", "Notícia anulada", "Retirar do ar", "Non pubblicare",
        "Si prega di non utilizzare la notizia", "Annullare la notizia", "La notizia è stata ritirata",
        "Bericht vervallen", "NIET PUBLICEREN", "Gelieve dit bericht niet te gebruiken", "Bericht verwijderen aub",
        "Används ej", "FÅR EJ PUBLICERAS", "Artikeln är tillbakadragen", "Telegrammet utgår", "UTGÅR",
        "Stoppad artikel", "IKKE BRUK", "Saken er trukket", "Må ikke publiseres", "Skal ikke bruges",
        "Ritzau trækker historien tilbage", "Må ikke anvendes", "Älä käytä", "STT vetää jutun pois", "Juttu vedetty",
        "Wycofujemy depeszę", "PROSIMY NIE WYKORZYSTYWAĆ", "Prosimy o niewykorzystywanie depeszy",
        "Prosíme nezveřejňovat", "Správa je neplatná", "NEM HASZNÁLHATÓ", "Kérjük, ne használják", "A se anula",
        "Μη χρησιμοποιείτε", "Να μη δημοσιευθεί", "Haberi kullanmayın", "Yayımlamayın", "АННУЛИРОВАТЬ",
        "Новость снята", "Просим считать недействительным", "НЕ ПУБЛИКОВАТЬ", "Скасовано", "عدم استخدام",
        "تلغى البرقية", "يرجى إلغاء الخبر", "يرجى تجاهل الخبر السابق", "אין לפרסם", "לבטל", "इस खबर का उपयोग न करें",
        "खबर रद्द", "请勿刊发", "稿件撤回", "不用", "勿发", "全文削除", "配信取り消し", "使わないでください", "掲載見合わせ", "削除", "기사 삭제", "전문 취소",
        "보도 금지", "ห้ามใช้", "Xin hủy tin", "JANGAN DIPAKAI", "BATAL", "Berita dibatalkan",
    ]

    /// Notes with the same words that order nothing.
    static let others = [
        "ADDS details, quotes; recasts", "UPDATES with death toll", "ATTENTION - ADDS details",
        "Adds background, removes extraneous word in para 2",
        "Eds: Updates with new time in 3rd graf. Will be updated.", "Eds: AMs.", "With AP Photos.",
        "AP Video. With AP Photos", "Eds: Story moved in advance for use anytime", "For use Sunday",
        "This story is part of a package", "(Writing by John; Editing by Jane)",
        "Diese Meldung ersetzt die vorherige Fassung", "ergänzt: Zitate", "Zusammenfassung", "Eil 2", "Bericht folgt",
        "dpa-Notizblock: Redaktionelle Hinweise", "Notizblock", "Avec photos", "Ajoute citations",
        "ajoute détails, contexte", "actualise bilan", "Möjlig dubblett", "Kompletterar med citat", "MED BILD",
        "Oppdatert versjon", "Rettelse i 3. avsnitt", "Photo available", "Do not use after March 5",
        "Do not use in Japan", "No use in Germany", "Not for publication in Israel",
        "For editorial use only. Not for advertising", "Restricted to editorial use", "NO ARCHIVE", "No resale",
        "No sales. No archives", "Kill time: 3 hours", "Held for questioning: suspect named", "Hold music story",
        "Release: correct at time of writing", "Update: suspect has been released", "Police withdraw",
        "Withdraws from race", "WITHDRAWS FROM RACE", "RETRACTS STATEMENT", "Deleted scenes", "Story will be updated",
        "This story was first published in 2019", "This report has been edited",
        "Editor's note: this story contains details of suicide", "Previously published on Monday",
        "This story was originally published by X and is distributed by AP", "Meldung von gestern",
        "Nota: se mantiene el titular", "Ver nota anterior", "Agrega declaraciones", "Atualiza", "Atualizada às 10h",
        "Con foto", "Riscrittura", "(segue)", "Zpráva bude aktualizována", "Doplňuje", "Sprawozdanie", "Uzupełniona",
        "обновлено", "Подробности", "(更新)", "第2報", "記事更新", "訂正なし", "続報", "업데이트", "加图片", "续报", "تحديث", "يضيف تفاصيل",
        "Test", "THIS IS A TEST", "Hold for approval of graphics", "CANCELS previous trip; adds quotes",
        "Cancelled flights: list follows", "Stands corrected", "Kill fee applies", "Killed: 5",
        "Not for use in France until 2000", "Do not use in Hungary", "Do not use the attached picture",
        "Please do not use images without credit", "Bild nicht verwenden", "Bitte nicht ohne Bild verwenden",
        "Ne pas utiliser la photo", "Updates: story withdrawn from exhibit",
        "Report withdrawn by ministry; adds reaction", "Article withdrawn from journal, paragraph 3",
        "News removed from shelves", "Message deleted, police say", "File deleted by suspect",
        "Post removed by Facebook", "Adds that report was withdrawn", "Bericht zurückgezogen, ergänzt Reaktion",
        "Artikel gelöscht: Ergänzt 3. Absatz",
    ]

    /// Headlines that withdraw the item.
    static let withdrawalHeadlines = [
        "Story withdrawn", "STORY KILLED", "KILLED", "BC-Quake, KILL", "Quake - KILL", "Quake (KILL)",
        "Quake [WITHDRAWN]", "Quake - WITHDRAWN", "Quake: STORY WITHDRAWN", "*** WITHDRAWN *** Quake",
        "WITHDRAWN - Quake", "WITHDRAWN | Quake", "WITHDRAWN/Quake", "Withdrawn - Quake", "Story Withdrawn: Quake",
        "[Withdrawn] Quake", "(withdrawn) Quake", "URGENT: WITHDRAWN: Quake", "BREAKING - WITHDRAWN: Quake",
        "AP: KILL: Quake", "REUTERS WITHDRAWS STORY", "AP withdraws story", "PLEASE DISREGARD", "IGNORE",
        "DO NOT USE Quake", "ANNULATION Quake", "MELDUNG ZURÜCKGEZOGEN", "KILL Meldung", "NO USAR: Quake", "【全文取消】",
        "【取り消し】地震", "［撤回］", "(撤稿)地震", "[기사 취소] 지진", "[삭제]", "(إلغاء)", "地震：撤稿", "Quake | WITHDRAWN",
        "Quake – STORY KILLED",
    ]

    /// Headlines of news with the same words.
    static let otherHeadlines = [
        "Kill Bill returns to cinemas", "HOLD ON: Brexit deal near", "Correction: stocks fall",
        "Withdrawn: Boris Johnson quits race", "WITHDRAWN FROM SALE: Toyota recalls cars",
        "RETRACTION: Lancet withdraws paper", "HOLD: Fed keeps rates", "DELETE: App removes tweets",
        "CANCELLED: Glastonbury 2026", "KILLED: Five in attack", "KILL - bill dies in senate",
        "KILL SWITCH: how Europe would turn off", "ANULACIÓN del juicio", "Berichtigung", "Rettelse: Krone falder",
        "Oprava: dálnice D1 se uzavře", "OPRAVA D1 začne", "УТОЧНЕНИЕ бюджета", "АННУЛИРОВАНИЕ сделки", "订正 教科书",
        "修正予算案を閣議決定", "修正：予算", "정정 공시", "[취소] 올림픽", "【取消】会议", "【中止】花火大会", "（中止）花火大会", "【保留】決定", "《撤回》法案", "【延期】",
        "【速報】", "**BREAKING** xx", "*KILLED* xx", "STORY OF THE YEAR WITHDRAWN",
        "Report withdrawn: UN pulls Gaza paper", "Report retracted: Lancet", "Artikel zurückgezogen: Studie",
        "Nota anulada: examen", "Report killed: House panel", "REPORT WITHDRAWN: UN", "Nyheten stoppas: x",
        "Sak trukket: retten", "Saken trekkes: Statoil", "Zpráva stažena: NKÚ", "Version withdrawn: Apple pulls iOS",
        "Release cancelled: GTA", "RELEASE CANCELLED: GTA 6", "FILE DELETED: hackers", "Message deleted: Trump",
        "POST DELETED: Musk removes tweet", "Post deleted: Musk", "RÜCKRUF: Salami", "Rückruf: Salami",
        "WITHDRAWAL: US troops leave", "Movie review: Hold (DELETED)", "KORR: x", "KORR - x", "CORR: x",
        "Erratum: film", "Corrected: x", "C O R R E C T I O N", "CORRECTIONAL OFFICER killed",
        "CORRECTIONS CHIEF RESIGNS", "CORRECTIONS: prison chief", "Corrections officer killed - police", "[속보] 삭제",
        "EMBARGO: Cuba", "Embargo: EU bans Russian oil", "Oil embargo until March", "EMBARGO LIFTED: Cuba",
        "Embargo lifted", "Trade embargo on Iran", "Embargoed goods seized", "US-Iran embargo: what next",
        "EU oil - embargo", "EU OIL EMBARGO", "Embargo on Cuba", "3 killed", "12 KILLED", "Urgent: 3 killed",
        "Second Test cancelled", "KILLED: 3", "Fake news", "CHARGES: WITHDRAWN", "Aktie XY - HOLD", "The order: KILL",
        "TWO KILLED", "Flash: 7 killed", "UPDATE 2-3 KILLED", "Fed - HOLD", "Man held", "Five held",
        "BREXIT-DEAL CANCELLED", "NASA - MISSION CANCELLED", "Match: CANCELLED",
        "(Cancelled) Glastonbury", "(suspended) Match", "(Deleted) scenes", "[취소] 콘서트", "*Killed* by the storm",
    ]

    /// Notes with an embargo.
    static let embargoes = [
        "EMBARGOED UNTIL 1200 GMT", "Sperrfrist: 12.00 Uhr", "Sous embargo jusqu'à 14h00", "EMBARGO: 18:00",
        "Embargo until 6pm", "Embargo until March", "Sperrfrist 18 Uhr", "Achtung: Bitte Sperrfrist beachten",
        "Embargoed for release at 6pm", "EMBARGO", "Bajo embargo hasta las 10 horas", "Embargo hasta el lunes",
        "Embargo: Wednesday March 4, 0001 GMT", "Embargo: 12 March 2026, 6pm London time", "Embargo do 12:00",
        "Эмбарго до 12:00", "Embargo tot 12.00 uur", "Embargo fino alle 12", "Embargo até às 12h", "엠바고: 3월 4일 12시",
        "解禁日時：3月4日12時", "解禁：3月4日", "حظر النشر حتى الساعة 12", "Embargo kl 12.00", "Julkaisuvapaa 4.3. klo 12",
        "STRICT EMBARGO: not before noon", "This story is embargoed", "Under embargo until Sunday",
        "Eds: embargoed until delivery", "Embargo til kl. 12", "Embargo till fredag", "Pod embargem do 18.00",
        "Embargo 18 Uhr. Mit Foto", "Unter Sperrfrist bis Montag",
    ]

    /// Notes about embargoes, also past ones.
    static let noEmbargoes = [
        "Trade embargo on Iran", "Oil embargo until March", "embargo lifted", "Embargo: none", "Sperrfrist: keine",
        "No embargo", "Embargo on Iran extended", "Sin embargo, el ministro", "Embargo aufgehoben", "Embargo broken",
        "Embargo removed", "Sperrfrist aufgehoben", "Embargo: Iran sanctions explained in 3 paragraphs",
        "Adds detail on sanctions, embargo until March", "Cuba embargo explained", "Adds US embargo background",
        "Embargo expired", "Embargo has been lifted", "Embargo zrušeno", "Arms embargo in para 3",
        "EU embargo at 10 years", "Embargo against Russia", "Kein Embargo", "Ohne Sperrfrist", "Sans embargo",
        "Embargo on Russian oil from Monday", "Embargoed goods seized", "Lifts embargo", "Embargo: 3 nations agree",
        "Embargo levé", "Embargo ends", "海水浴解禁",
    ]

    /// Headlines with an embargo.
    static let embargoHeadlines = [
        "EMBARGOED: Budget", "EMBARGOED UNTIL 1200 GMT: Budget", "(EMBARGOED) Budget", "Budget (EMBARGOED)",
        "Budget - EMBARGOED", "SPERRFRIST 12.00 UHR: Haushalt", "Sperrfrist 18 Uhr: Haushalt",
        "EMBARGO 1800 GMT: Budget", "SPERRFRIST: Haushalt", "SOUS EMBARGO: Budget", "EMBARGOED-Budget",
    ]
}
