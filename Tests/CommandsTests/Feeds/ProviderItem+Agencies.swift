extension ProviderItem {
    static let agencies = [
        ProviderItem(
            "AP Media API, an alert in its envelope",
            sent: "World: Breaking: Words of an alert",
            #"""
            {"api_version":"1.1","data":{"item":{"uri":"https://api.ap.org/media/v/content/0f3c","version":0,
            "type":"text","altids":{"itemid":"0f3c","etag":"0f3c_0a1","friendlykey":"1"},"urgency":1,
            "editorialpriority":"f","language":"en","versioncreated":"2026-03-02T09:00:00Z",
            "firstcreated":"2026-03-02T09:00:00Z","pubstatus":"usable","title":"ZZ--Words",
            "headline":"Words of an alert","signals":["newscontent"],"subject":[{"code":"i","name":"i",
            "rels":["category"]},{"code":"aa","rels":["direct"],"scheme":"http://cv.ap.org/id/"}],
            "renditions":{}}}}
            """#
        ),
        ProviderItem(
            "AP Media API, a page with one item",
            sent: "World: Breaking: Words of a page",
            #"""
            {"data":{"items":[{"item":{"altids":{"itemid":"p1"},"version":0,"type":"text","urgency":1,
            "language":"en","versioncreated":"2026-03-02T09:00:00Z","headline":"Words of a page"}}]}}
            """#
        ),
        ProviderItem(
            "AP in ninjs 2.1, version 0, uri with a query",
            calm: "World: Words from a capital",
            #"""
            {"uri":"http://api.ap.org/media/v/content/8c9f?qt=n3Q1bWN0&et=0a1aza3c0","type":"text",
            "profile":"Story","version":"0","firstcreated":"2026-03-02T08:58:53Z",
            "versioncreated":"2026-03-02T09:00:53Z","pubstatus":"usable","urgency":4,"language":"en",
            "usageterms":"For editorial use only.","headlines":[{"role":"main","value":"Words from a capital"}],
            "people":[{"literal":"85","name":"N"}],"subjects":[{"literal":"p","name":"Political News"},
            {"literal":"86aad50","name":"Government"}],"infosources":[{"name":"AGENCY"}],"title":"Words--N 1",
            "located":"A CAPITAL"}
            """#
        ),
        ProviderItem(
            other: "AP in ninjs 3.0, a video",
            #"""
            {"uri":"http://api.ap.org/media/v/content/0cc8?qt=x&et=0a","type":"video","version":"0",
            "firstCreated":"2026-03-02T09:00:00Z","versionCreated":"2026-03-02T09:00:00Z","pubStatus":"usable",
            "usageTerms":"Terms","edNote":"WhollyOwned","language":"en","infoSources":[{"name":"AGENCY"}],
            "headlines":[{"role":"main","value":"Words"}],"renditions":[{"name":"main","format":"MP4"}]}
            """#
        ),
        ProviderItem(
            other: "AP in ninjs 3.0, a sound",
            #"""
            {"uri":"http://api.ap.org/media/v/content/8c9f?qt=x&et=0a","type":"audio","version":"0",
            "pubStatus":"usable","versionCreated":"2026-03-02T09:00:00Z","urgency":1,
            "headlines":[{"role":"main","value":"Words"}]}
            """#
        ),
        ProviderItem(
            "AP in ninjs 3.1, an update",
            sent: "World: Words in a second lead",
            #"""
            {"uri":"https://api.ap.org/media/v/content/77aa?qt=x&et=1a","type":"text","version":"1","urgency":2,
            "versionCreated":"2026-03-02T09:00:00Z","firstCreated":"2026-03-02T08:40:00Z","pubStatus":"usable",
            "edNote":"Eds: UPDATES: with quotes","slugline":"BC-ZZ--Words, 2nd Ld","language":"en-US",
            "headlines":[{"role":"extended","value":"More"},{"role":"main","value":"Words in a second lead"}],
            "subjects":[{"literal":"i"}]}
            """#
        ),
        ProviderItem(
            "dpa in ninjs 2.1, version 2, no subjects",
            calm: "World: Words over a derby",
            #"""
            {"uri":"urn:newsml:dpa.com:20090101:260302-99-167362","version":"2",
            "versioncreated":"2026-03-02T10:02:28+02:00","pubstatus":"usable","urgency":4,
            "copyrightholder":"dpa","copyrightnotice":"Notice","language":"de","by":"Von N",
            "headlines":[{"role":"main","value":"Words over a derby"}],"bodies":[{"role":"main",
            "contenttype":"application/xhtml+xml","value":"<section><p>Text</p></section>"}]}
            """#
        ),
        ProviderItem(
            "dpa in ninjs 3.0, an Eil",
            sent: "World: Breaking: Words von heute",
            #"""
            {"uri":"urn:newsml:dpa.com:20090101:260302-99-1","version":"3",
            "versionCreated":"2026-03-02T10:00:00+01:00","pubStatus":"usable","urgency":1,"language":"de",
            "headlines":[{"role":"main","value":"Words von heute"}]}
            """#
        ),
        ProviderItem(
            "dpa, HOLD",
            sent: "suppressed.hold /ednote: 'hold' holds the story",
            #"""
            {"uri":"urn:newsml:dpa.com:1","version":"4","versioncreated":"2026-03-02T10:00:00+01:00",
            "pubstatus":"usable","ednote":"HOLD HOLD HOLD","language":"de","headlines":[{"role":"main",
            "value":"Words"}]}
            """#
        ),
        ProviderItem(
            "dpa, a correction",
            sent: "World: Words berichtigt",
            #"""
            {"uri":"urn:newsml:dpa.com:2","version":"4","versioncreated":"2026-03-02T10:00:00+01:00",
            "pubstatus":"usable","ednote":"Berichtigung: Zahl im 2. Absatz","language":"de","urgency":4,
            "headlines":[{"role":"main","value":"Words berichtigt"}]}
            """#
        ),
        ProviderItem(
            "TT in ninjs 2.1, literal and uri, expires in years",
            sent: "World: Words i jätteformat",
            #"""
            {"uri":"http://tt.se/media/text/260302-words-a0f2d045","type":"text","profile":"PUBL","version":"1",
            "altids":[{"role":"originaltransmissionreference","value":"a0f2d045"}],"representationtype":"full",
            "genres":[{"literal":"INR","uri":"http://tt.se/spec/sector/1.0/INR","name":"Inrikes"}],
            "versioncreated":"2026-03-02T10:00:18+02:00","pubstatus":"usable","copyrightholder":"TT",
            "language":"sv","urgency":3,"slugline":"words","headlines":[{"role":"main",
            "value":"Words i jätteformat"}],"descriptions":[{"role":"text","value":"Mer"}],
            "associations":[{"name":"a001","by":"N/TT","uri":"http://tt.se/media/image/1","type":"picture",
            "renditions":[{"name":"r01","href":"https://tt.se/a.jpg","contenttype":"image/jpeg",
            "width":1024}]}],"subjects":[{"literal":"16000000","name":"Krig",
            "uri":"http://tt.se/spec/subref/1.0/16000000"}],"expires":"2028-03-02T00:00:00+02:00",
            "places":[{"name":"Sverige"},{"geojson":{"type":"Point"}}],"standard":{"name":"TTNINJS",
            "version":"2.1","schema":"https://tt.example/2.1"}}
            """#
        ),
        ProviderItem(
            over: "TT, an item that expired before it was made",
            #"""
            {"uri":"http://tt.se/media/text/old","type":"text","version":"1",
            "versionCreated":"2026-03-02T10:00:00+01:00","urgency":1,"expires":"2023-05-31T00:00:00+02:00",
            "language":"sv","headlines":[{"value":"Words"}]}
            """#
        ),
        ProviderItem(
            other: "TT in ninjs 3.0, a press conference",
            #"""
            {"uri":"http://tt.se/media/event/00cc","pubStatus":"usable","type":"event",
            "representationType":"full","profile":"DATA","version":"3",
            "versionCreated":"2026-03-02T10:27:32+02:00","language":"sv","urgency":1,
            "eventDetails":{"dates":{"startDate":"2026-03-02T16:00:00+02:00"}},"headlines":[{"value":"Words"}]}
            """#
        ),
        ProviderItem(
            other: "TT in ninjs 1.4, an association alone",
            #"""
            {"uri":"http://tt.se/media/text/x","type":"text","representationtype":"associated","version":"1",
            "urgency":1,"versioncreated":"2026-03-02T10:00:00+02:00","headline":"Words"}
            """#
        ),
        ProviderItem(
            "NTB in ninjs 2.1, version 6, names as subjects, with a place that is not mapped",
            calm: "invalid.unmapped /categories: none is mapped to a tag: Innenriks",
            #"""
            {"uri":"urn:8d19cf88-0000","type":"text","profile":"Standard","version":"6",
            "firstcreated":"2026-03-02T08:30:04Z","versioncreated":"2026-03-02T08:46:53Z","pubstatus":"usable",
            "urgency":5,"copyrightholder":"NTB","copyrightnotice":"","usageterms":"","ednote":"Noe utvidet.",
            "language":"nb-NO","descriptions":[{"role":"text","contenttype":"text/plain","value":"Mer"}],
            "headlines":[{"role":"main","value":"Words i Skogen"}],"places":[{"name":"Fylke",
            "literal":"Fylke"}],"subjects":[{"name":"Innenriks","literal":"Innenriks"}],"by":"NTB",
            "slugline":"words-skog"}
            """#
        ),
        ProviderItem(
            "NTB, a correction",
            sent: "World: Words rettet",
            #"""
            {"uri":"urn:8d19cf88-0001","type":"text","version":"7","versioncreated":"2026-03-02T08:46:53Z",
            "urgency":5,"ednote":"Rettelse: tall i tredje avsnitt","language":"nb_NO",
            "headlines":[{"role":"main","value":"Words rettet"}]}
            """#
        ),
        ProviderItem(
            "Business Wire in ninjs 1.4, names only",
            calm: "World: Words About a Workstation",
            #"""
            {"uri":"http://www.businesswire.com/news/home/20260302006361/en","type":"composite",
            "mimetype":"application/x-resource+json;level=composite","version":"1","language":"en",
            "versioncreated":"2026-03-02T09:00:00Z","headline":"Words About a Workstation",
            "subject":[{"name":"United States","rel":"about"},{"name":"Technology","rel":"about"}],
            "associations":{"logo":{"type":"picture","renditions":{"a":{"href":"http://a.example/a.jpg",
            "width":70}}}}}
            """#
        ),
        ProviderItem(
            "Business Wire in ninjs 1.4, a rendition twice",
            calm: "World: Words about Lunch®",
            #"""
            {"uri":"http://www.businesswire.com/news/home/20260302006140/en","type":"composite","version":"1",
            "language":"en","versioncreated":"2026-03-02T09:00:00Z","headline":"Words about Lunch&reg;",
            "subject":[{"name":"Other Consumer","rel":"about"}],"associations":{"video":{"type":"video",
            "renditions":{"broadband":{"href":"http://a.example/1"},
            "broadband":{"href":"http://a.example/2"}}}}}
            """#
        ),
        ProviderItem(
            "Business Wire in ninjs 3.0, Chinese",
            calm: "Business: Words 酷供應商",
            #"""
            {"uri":"http://www.businesswire.com/news/home/20260302006126/zh","type":"text","version":"1",
            "language":"zh","versionCreated":"2026-03-02T09:00:00Z","headlines":[{"role":"main",
            "value":"Words 酷供應商"}],"subjects":[{"name":"Business and Finance","rel":"about"}]}
            """#
        ),
        ProviderItem(
            other: "SIPA, a picture",
            #"""
            {"uri":"https://internal-repository/2.1","profile":"asset","type":"picture","version":"1",
            "representationType":"full","firstCreated":"2026-03-02T09:00:00Z",
            "versionCreated":"2026-03-02T09:00:00Z","pubStatus":"usable","language":"en","by":"N",
            "headlines":[{"role":"main","value":"Words"}],"usageTerms":"*** World Rights ***",
            "subjects":[{"literal":"paimagescategory:a","name":"News"}]}
            """#
        ),
    ]
}
