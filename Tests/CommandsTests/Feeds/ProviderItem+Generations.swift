extension ProviderItem {
    /// Items in each generation of ninjs.
    static let generations = [
        ProviderItem(
            "ninjs 1.0",
            calm: "World: Words of 1.0",
            #"""
            {"uri":"urn:g:10","type":"text","versioncreated":"2026-03-02T09:00:00Z","headline":"Words of 1.0",
            "byline":"N","usageterms":"T","person":[{"name":"N"}],"infosource":[{"name":"S"}],
            "body_text":"Text"}
            """#
        ),
        ProviderItem(
            "ninjs 1.4, further headlines and trust",
            sent: "World: Breaking: Words for a push",
            #"""
            {"$standard":{"name":"ninjs","version":"1.4"},"uri":"urn:g:14","urgency":1,"headline_web":"No",
            "headline_push":"Words for a push","contentcreated":"2026-03-02T09:00:00Z",
            "description_caption_xhtml":"<p>More</p>","trustindicator":[{"title":"T"}]}
            """#
        ),
        ProviderItem(
            "ninjs 1.6, headline_main alone",
            calm: "World: Words of 1.6",
            #"""
            {"uri":"urn:g:16","type":"text","versioncreated":"2026-03-02T09:00:00Z",
            "headline_main":"Words of 1.6","body_main":"Text","body_richtext":"<p>Text</p>",
            "digitalsourcetype":{"name":"human"}}
            """#
        ),
        ProviderItem(
            "ninjs 1.8, extensions and the time of digitising",
            sent: "World: Words of 1.8",
            #"""
            {"uri":"urn:g:18","version":"2","type":"text","urgency":2,"versioncreated":"2026-03-02T09:00:00Z",
            "contentdigitised":"1999-01-01T00:00:00Z","headline":"Words of 1.8","extensions":{"desk:a":"b"},
            "renditions":{"r":{"href":"https://a.example/a.jpg","extensions":{"mirror:eu":"x"}}}}
            """#
        ),
        ProviderItem(
            "ninjs 2.0",
            calm: "Business: Words of 2.0",
            #"""
            {"standard":{"name":"ninjs","version":"2.0"},"uri":"urn:g:20","version":"1","type":"text","by":"N",
            "versioncreated":"2026-03-02T09:00:00Z","headlines":[{"value":"Words of 2.0"}],
            "subjects":[{"uri":"http://cv.iptc.org/newscodes/mediatopic/04000000/"}],"altids":[{"role":"x",
            "value":"y"}]}
            """#
        ),
        ProviderItem(
            "ninjs 2.2, HTML in a headline",
            sent: "World: Breaking: Words of 2.2",
            #"""
            {"uri":"urn:g:22","version":"1","type":"text","urgency":1,"versioncreated":"2026-03-02T09:00:00Z",
            "headlines":[{"role":"main","contenttype":"text/html; charset=utf-8",
            "value":"<b>Words</b> of 2.2"}],"genres":[{"name":"News","uri":"urn:genre"}],
            "digitalsourcetype":{"literal":"x"}}
            """#
        ),
        ProviderItem(
            "ninjs 2.4, extensions of renditions",
            sent: "World: Breaking: Words of 2.4",
            #"""
            {"uri":"urn:g:24","version":"1","type":"composite","urgency":1,
            "versioncreated":"2026-03-02T09:00:00Z","headlines":[{"role":"main","value":"Words of 2.4"}],
            "associations":[{"name":"m","uri":"urn:m","type":"picture","renditions":[{"name":"r",
            "href":"https://a.example/a.jpg","extensions":{"a:b":"c"}}]}]}
            """#
        ),
        ProviderItem(
            "ninjs 3.0, embargo",
            sent: "World: Breaking: Words of 3.0",
            #"""
            {"uri":"urn:g:30","version":"1","type":"text","urgency":1,"versionCreated":"2026-03-02T09:00:00Z",
            "embargoedUntil":"2026-03-02T12:00:00+02:00","headlines":[{"value":"Words of 3.0"}],
            "rightsInfo":{"langId":"x"}}
            """#
        ),
        ProviderItem(
            "ninjs 3.1, no type",
            sent: "World: Breaking: Words of 3.1",
            #"""
            {"uri":"urn:g:31","urgency":1,"versionCreated":"2026-03-02T09:00:00Z","edNote":"","slugline":"",
            "headlines":[{"role":"main","contentType":"text/plain","value":"Words of 3.1"}],"altIds":[]}
            """#
        ),
        ProviderItem(
            "ninjs 3.3, commissioned, extensions, associations with a relation",
            sent: "World: Words of 3.3",
            #"""
            {"standard":{"name":"ninjs","version":"3.3"},"uri":"urn:g:33","version":"4","type":"text",
            "urgency":2,"versionCreated":"2026-03-02T09:00:00Z","commissioned":{"by":"N",
            "on":"2026-03-01T09:00:00Z"},"contentDigitised":"2026-03-02T09:00:00Z","headlines":[{"role":"main",
            "value":"Words of 3.3"}],"extensions":{"desk:a":"b"},"associations":[{"name":"m","uri":"urn:m",
            "rel":"main","type":"picture","renditions":[{"name":"r","href":"https://a.example/a.jpg",
            "width":800,"poi":{"x":1,"y":2},"extensions":{"mirror:eu":"x"}}]}]}
            """#
        ),
        ProviderItem(
            other: "renditions alone",
            #"""
            {"uri":"urn:g:r","renditions":[{"name":"thumbnail","href":"http://a.example/a.jpg","width":70}]}
            """#
        ),
        ProviderItem(
            "a withdrawal of the first generation: only uri is required",
            sent: "suppressed.never_sent nothing is known of the story; if subscribers have it, send another kill with "
                + "its categories or users",
            #"""
            {"uri":"urn:g:k","pubstatus":"canceled"}
            """#
        ),
    ]

    /// Items with missing or odd members.
    static let oddities = [
        ProviderItem("no time", sent: "World: Words 1", item(#""version":"3","urgency":2,"headline":"Words 1""#)),
        ProviderItem("no version and no time", sent: "World: Words 2", item(#""urgency":2,"headline":"Words 2""#)),
        ProviderItem(
            "seconds since 1970",
            sent: "World: Words 3",
            item(#""versioncreated":1772442000,"urgency":2,"headline":"Words 3""#)
        ),
        ProviderItem(
            "milliseconds since 1970",
            sent: "World: Words 4",
            item(#""versioncreated":"1772442000000","urgency":2,"headline":"Words 4""#)
        ),
        ProviderItem(
            "a time without an offset",
            sent: "World: Words 5",
            item(#""versioncreated":"2026-03-02T09:00:00","urgency":2,"headline":"Words 5""#)
        ),
        ProviderItem(
            "a version beyond all numbers",
            sent: "World: Words 6",
            item(
                #""version":"20260302090000123456","versioncreated":"2026-03-02T09:00:00Z","urgency":2,"#
                    + #""headline":"Words 6""#
            )
        ),
        ProviderItem(
            "an empty headline and a title",
            sent: "World: Words 7",
            item(#""version":"3","urgency":2,"headline":" ","headlines":[],"title":"Words 7""#)
        ),
        ProviderItem(
            "a description alone",
            sent: "World: Words 8",
            item(#""version":"3","urgency":2,"headline":null,"description_text":"Words 8""#)
        ),
        ProviderItem(
            "headlines as an object",
            sent: "World: Words 9",
            item(#""version":"3","urgency":2,"headlines":{"sub":"No","main":"Words 9"}"#)
        ),
        ProviderItem(
            "subjects in each form",
            sent: "Sports,World: Words 10",
            item(
                #""version":"3","urgency":2,"headline":"Words 10","subject":{"a":{"code":"medtop:15000000"},"#
                    + #""b":"http://cv.iptc.org/newscodes/mediatopic/16000000?lang=en","c":7,"d":null,"e":{"name":""}}"#
            )
        ),
        ProviderItem(
            "a status as a QCode",
            sent: "World: Words 11",
            item(#""version":"3","urgency":2,"headline":"Words 11","pubstatus":"stat:usable""#)
        ),
        ProviderItem(
            "a headline longer than events have",
            sent: "World: Words " + String(repeating: "a", count: 171) + "…",
            item(#""version":"3","urgency":2,"headline":"Words \#(String(repeating: "a", count: 3000))""#)
        ),
        ProviderItem(
            "a name twice in a member that is not read",
            sent: "World: Words 13",
            item(#""version":"3","urgency":2,"headline":"Words 13","copyrightnotice":"a","copyrightnotice":"b""#)
        ),
        ProviderItem(other: "no words", item(#""version":"3","urgency":1,"headline":"","headlines":[{"role":"a"}]"#)),
    ]

    private static func item(_ members: String) -> String {
        #"{"uri":"urn:o:1","type":"text","language":"en",\#(members)}"#
    }
}
