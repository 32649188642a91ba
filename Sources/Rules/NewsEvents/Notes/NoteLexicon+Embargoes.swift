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
