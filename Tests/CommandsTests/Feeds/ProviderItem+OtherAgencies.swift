extension ProviderItem {
    static let otherAgencies = [
        ProviderItem(
            "addb in ninjs 3.0, topics by URI",
            calm: "Sports: Words of the 'Tour'",
            #"""
            {"uri":"https://antidoping.example/news/words","standard":{"name":"ninjs","version":"3.0"},
            "type":"text","representationType":"full",
            "genres":[{"uri":"http://cv.iptc.org/newscodes/genre/Actuality"}],"subjects":[{"rel":"classifies",
            "uri":"http://cv.iptc.org/newscodes/mediatopic/15000000"}],"title":"Words","version":"2",
            "versionCreated":"2026-03-02T10:34:03+02:00","pubStatus":"usable","urgency":4,
            "headlines":[{"role":"main","value":"Words of the 'Tour'"}],"descriptions":[{"role":"lead",
            "value":"More"}],"language":"en","by":"N","located":"Oslo, Norway"}
            """#
        ),
        ProviderItem(
            other: "addb, an event without a type",
            #"""
            {"uri":"http://addb.example/words","title":"Words","descriptions":[{"value":"More"}],
            "eventDetails":{"dates":{"startDate":"2026-03-02T10:00:00+08:00"}},"people":[{"name":"N"}]}
            """#
        ),
        ProviderItem(
            other: "addb, coverage that is planned",
            #"""
            {"uri":"http://addb.example/plan","version":"1","urgency":1,"headlines":[{"value":"Words"}],
            "plannedCoverage":[{"uri":"urn:p"}]}
            """#
        ),
        ProviderItem(
            "Superdesk, a first version",
            sent: "World: Breaking: Words of a desk",
            #"""
            {"guid":"urn:newsml:wire.example.net:2026:a","version":"3","type":"text",
            "versioncreated":"2026-03-02T09:00:00+0000","firstcreated":"2026-03-02T08:40:00+0000",
            "pubstatus":"usable","urgency":1,"priority":2,"language":"en","headline":"Words of a desk",
            "slugline":"words","description_text":"More","description_html":"<p>More</p>",
            "body_html":"<p>Text</p>","subject":[{"name":"war","code":"20000151","scheme":"mediatopics"}],
            "service":[{"name":"World","code":"i"}],"signal":[{"name":"Update","code":"update",
            "scheme":"http://cv.iptc.org/newscodes/signal/"}],"source":"WIRE","charcount":38,"readtime":0,
            "extra":{"web_url":"https://news.example.net/a"}}
            """#
        ),
        ProviderItem(
            "Superdesk, a rewrite in a chain",
            sent: "World: Words of a rewrite",
            #"""
            {"guid":"urn:newsml:wire.example.net:2026:c","evolvedfrom":"urn:newsml:wire.example.net:2026:b",
            "version":"1","type":"text","versioncreated":"2026-03-02T09:00:00+0000","pubstatus":"usable",
            "urgency":2,"language":"en","headline":"Words of a rewrite","subject":[{"code":"03000000",
            "name":"disaster"}]}
            """#
        ),
        ProviderItem(
            "Superdesk, a correction by its signal",
            sent: "World: Words of a correction",
            #"""
            {"guid":"urn:newsml:wire.example.net:2026:d","version":"2","type":"text","urgency":5,
            "language":"en","versioncreated":"2026-03-02T09:00:00+0000","pubstatus":"usable",
            "headline":"Words of a correction","signal":[{"code":"sig:correction"}]}
            """#
        ),
        ProviderItem(
            "Superdesk, embargo and schedule",
            sent: "World: Breaking: Words at ten",
            #"""
            {"guid":"urn:newsml:wire.example.net:2026:e","version":"2","type":"text","urgency":1,
            "language":"en","versioncreated":"2026-03-02T09:00:00+0000","embargoed":"2026-03-02T10:00:00+0000",
            "publish_schedule":"2026-03-02T09:30:00+0000","headline":"Words at ten"}
            """#
        ),
        ProviderItem(
            "AFP, an alert of one line",
            sent: "World: Breaking: Words d’une alerte",
            #"""
            {"uri":"http://doc.afp.example/001","version":"1","type":"text","profile":"ALERTE","urgency":1,
            "language":"fr-FR","versioncreated":"2026-03-02T09:00:00Z","headline":"Words d&#8217;une alerte",
            "subject":[{"qcode":"medtop:16000000","name":"Guerre"}],"infosource":[{"name":"AFP"}]}
            """#
        ),
        ProviderItem(
            "AFP, it replaces another",
            sent: "World: Words d'un lead",
            #"""
            {"uri":"http://doc.afp.example/002","version":"2","type":"text","urgency":3,"language":"fr",
            "versioncreated":"20260302T090000Z","ednote":"ANNULE ET REMPLACE","headline":"Words d'un lead"}
            """#
        ),
        ProviderItem(
            "a style like Reuters', a snap",
            sent: "World: Breaking: WORDS OF A SNAP -SOURCE",
            #"""
            {"uri":"tag:reuters.example,2026:newsml_L8N1","version":"170","type":"text","urgency":1,
            "language":"en","versioncreated":"2026-03-02T09:00:00.000Z","headline":"WORDS OF A SNAP -SOURCE",
            "slugline":"WORDS/","subject":[{"code":"N2:US"},{"code":"subj:16000000"}]}
            """#
        ),
        ProviderItem(
            "a style like Reuters', corrected",
            sent: "World: CORRECTED-Words of a story",
            #"""
            {"uri":"tag:reuters.example,2026:newsml_L8N2","version":"171","type":"text","urgency":3,
            "language":"en","versioncreated":"2026-03-02T09:00:00.000Z","headline":"CORRECTED-Words of a story"}
            """#
        ),
        ProviderItem(
            "a style like Reuters', withdrawn",
            sent: "suppressed.hold /headline: 'withdrawn' holds the story",
            #"""
            {"uri":"tag:reuters.example,2026:newsml_L8N3","version":"172","type":"text","urgency":3,
            "language":"en","versioncreated":"2026-03-02T09:00:00.000Z","headline":"WITHDRAWN-Words of a story"}
            """#
        ),
        ProviderItem(
            "Belga, two languages in a list",
            sent: "World: Breaking: Words uit Gent",
            #"""
            {"uri":"urn:belga:1","version":1,"type":"text","urgency":"1","language":["nl","fr"],
            "versioncreated":"2026-03-02 10:00:00+01:00","headlines":[{"role":"title",
            "value":"Words uit Gent"}],"subjects":[{"literal":"NEWS/GENERAL","name":"Algemeen"}]}
            """#
        ),
        ProviderItem(
            "Ritzau, short headline first",
            sent: "World: Breaking: Words kort",
            #"""
            {"uri":"urn:ritzau:1","version":"1","type":"text","urgency":1,"language":"da",
            "versioncreated":"2026-03-02T10:00:00+01","headlines":[{"role":"main","value":"En lang rubrik"},
            {"role":"Short","value":"Words kort"}],"subjects":[{"name":"Udland"}]}
            """#
        ),
        ProviderItem(
            "ANSA, language in words",
            sent: "World: Breaking: Words di oggi",
            #"""
            {"uri":"urn:ansa:1","version":"1.0","type":"Text","urgency":1,"language":"italiano",
            "versioncreated":"2026-03-02T10:00:00+0100","headline":"Words di oggi","subject":["CRO"]}
            """#
        ),
        ProviderItem(
            "EFE, old subject codes",
            sent: "Sports: Words de hoy",
            #"""
            {"uri":"urn:efe:1","version":"2","type":"text","urgency":2,"language":"es_ES",
            "versioncreated":"2026-03-02T10:00+0100","headline":"Words de hoy","subject":[{"code":"15054000",
            "scheme":"iptc_subject_code","name":"fútbol"}],"place":[{"code":"ES","name":"España"}]}
            """#
        ),
        ProviderItem(
            "KNA, the time of the content alone",
            sent: "World: Breaking: Words aus Rom",
            #"""
            {"uri":"urn:kna:1","type":"text","urgency":1,"language":"de",
            "contentcreated":"2026-03-02T09:00:00Z","headline":"Words aus Rom"}
            """#
        ),
        ProviderItem(
            "a picture agency, linked rights",
            calm: "World: Words of a race",
            #"""
            {"uri":"http://example.agency.example/item/TG346285","versioncreated":"2026-03-02T08:12:00Z",
            "by":"N","rightsinfo":{"langid":"http://w3.org/ns/odrl/2/","linkedrights":"http://a.example/r"},
            "headlines":[{"role":"main","value":"Words of a race"}],"descriptions":[{"role":"text",
            "value":"More"}]}
            """#
        ),
    ]
}
