/// The configurations that the schema shows as examples.
enum SchemaExamples {
    /// A list in JSON.
    static let all = #"""
        [{"version": 1, "hub": "regional", "locales": {"offered": ["en"], "default": "en"}, "categories": {"World":
        ["world"]}}, {"version": "1", "kafka": {"bootstrapServers": ["kafka-1.example.org:9093",
        "kafka-2.example.org:9093"], "tls": "true", "sasl": {"mechanism": "PLAIN", "username": "newsflash",
        "passwordFile": "/run/secrets/kafka-password"}, "sessionTimeout": "30s", "instance": "newsflash-0",
        "assignment": "cooperative-sticky", "properties": {"client.rack": "eu-west-1a"}}, "sources": {"desk":
        {"topic": "newsroom.breaking.v1", "format": "event", "id": "https://cms.example.org/desk"}, "wire":
        {"topic": "wire.ninjs.v1", "format": "ninjs", "push": {"urgency": "1..3", "type": ["text"]}, "kinds": {"1":
        "flash", "2": "alert"}, "html": true, "url": "altids.web"}, "feed": {"topic": "feed.v1", "format": "fields",
        "fields": {"id": "/id", "story": "/story", "revision": {"pointer": "/changed", "time": "epochSeconds"},
        "published": "/time", "categories": ["/tags/*/code"], "text": {"headline": "/title"}}}}, "hubs": {"main":
        {"name": "regional", "connectionStringFile": "/run/secrets/hub", "replaces":
        ["news-old.servicebus.windows.net/regional"]}, "test": {"name": "regional-test", "connectionStringVariable":
        "TEST_HUB", "mode": "test", "tags": "test", "as": ["apns", "fcmv1"]}}, "locales": {"offered": ["en",
        "pt-BR"], "default": "en", "timeZone": {"pt-BR": "America/Sao_Paulo"}}, "send": {"as": "template", "tags":
        "{category}.{locale}", "maximumTags": 20, "properties": {"messageParam": "{headline}"}}, "categories":
        {"World": ["world", "medtop:16000000"], "uk": {"all": ["edition:uk", "world"]}, "region": {"each": "geo:*",
        "tag": "geo.{code}"}}, "narrower": {"uk": ["World"]}, "unknown": "World", "interruption": {"3":
        "timeSensitive", "9": "passive"}, "text": {"alert": "{headline}", "flash": {"en": "Breaking: {headline}"},
        "kill": "Withdrawn: {headline}"}, "limits": {"headline": 120, "ellipsis": "…"}, "policy": {"life": {"flash":
        "60m"}, "clockSkew": "5m", "maximumEmbargo": "60d", "embargoDropped": "hold", "maximumLife": "7d",
        "approvals": {"flash": 2, "alert": "1"}, "approvalWait": "3m", "quiet": {"hours": "22:00-07:00", "urgency":
        "4..9", "then": "defer", "timeZone": "Europe/Prague", "timeZones": {"edition:us": "America/New_York"}},
        "caps": {"World": "2 per 10m per story", "*": ["12 per day"]}, "volumeLimits": {"sameText": "1 per 10m",
        "perSource": "6 per 10m", "all": "20 per hour"}}, "delivery": {"concurrency": "64", "retry": {"base":
        "250ms", "cap": "30s"}, "readAhead": "8 MiB", "storyMemory": "16 MiB"}, "topics": {"outcomes":
        "newsflash.outcomes.v1", "ledger": "newsflash.{topic}.ledger"}, "ledger": {"use": "required", "damaged":
        "refuse", "retention": "30d"}, "admin": {"listen": "off"}, "log": {"level": "info", "format": "json"}}]
        """#
}
