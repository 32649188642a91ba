/// The fixed part of the schema: the forms of values, as members of `$defs` in JSON. Each ``ValueForm`` is one of them.
enum SchemaDefinitions {
    /// Values of several sections.
    static let general = #"""
        {
        "word": {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9_.-]*$", "maxLength": 64},
        "topic": {"type": "string", "pattern": "^[A-Za-z0-9._-]+$", "maxLength": 249},
        "hubName": {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]*$", "maxLength": 260},
        "tag": {"description": "ASCII letters, digits and _ @ # . : -, at most 120.", "type": "string", "pattern":
        "^[A-Za-z0-9_@#.:-]+$", "maxLength": 120},
        "code": {"description": "A bare word or prefix:code, as in an event's categories.", "type": "string",
        "pattern": "^[A-Za-z0-9][A-Za-z0-9._:/-]*$", "maxLength": 96},
        "languageTag": {"description": "A BCP 47 tag, such as en, pt-BR, zh-Hans.", "type": "string", "pattern":
        "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$", "maxLength": 35},
        "path": {"description": "A path, absolute or relative to the working directory of the worker.", "type":
        "string", "minLength": 1, "maxLength": 4096},
        "variable": {"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$", "maxLength": 255},
        "duration": {"description": "A whole number followed by ms, s, m, h or d.", "type": "string", "pattern":
        "^[0-9]+ ?(ms|s|m|h|d)$", "maxLength": 24, "examples": ["250ms", "30s", "5m", "2h", "7d"]},
        "size": {"description": "Bytes, or a whole number followed by KiB, MiB or GiB.", "type": ["integer",
        "string"], "minimum": 1, "pattern": "^[0-9]+( ?(KiB|MiB|GiB))?$", "maxLength": 24, "examples": [65536,
        "64KiB", "64 MiB", "1GiB"]},
        "timeZone": {"description": "A name in IANA's time zone database, which must be installed (Debian's package \#
        tzdata).", "type": "string", "pattern": "^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$", "maxLength": 64, "examples":
        ["Europe/Prague", "America/Sao_Paulo"]},
        "rate": {"description": "A count per time, up to 1000 and 31d, such as 6 per 10m.", "type": "string",
        "pattern": "^0*(1000|[1-9][0-9]{0,2}) per (0*[1-9][0-9]*(ms|s|m|h|d)|minute|hour|day)$", "maxLength": 40,
        "examples": ["6 per 10m", "12 per day"]},
        "cap": {"description": "A rate. With per story at the end, each story is counted separately.", "type":
        "string", "pattern": "^0*(1000|[1-9][0-9]{0,2}) per (0*[1-9][0-9]*(ms|s|m|h|d)|minute|hour|day)( per \#
        story)?$", "maxLength": 50, "examples": ["2 per 10m per story", "12 per day"]},
        "count": {"description": "A whole number.", "type": ["integer", "string"], "minimum": 0, "pattern":
        "^[0-9]+$", "maxLength": 10},
        "flag": {"enum": [true, false, "true", "false"]}
        }
        """#

    /// Values of `sources`.
    static let sources = #"""
        {
        "uriReference": {"type": "string", "format": "uri-reference", "pattern": "^[^\\u0000-\\u0020\\u007f]+$",
        "maxLength": 256},
        "storyRules": {"anyOf": [{"$ref": "#/$defs/storyRule"}, {"type": "array", "minItems": 1, "maxItems": 8,
        "items": {"$ref": "#/$defs/storyRule"}}]},
        "itemTypes": {"type": "array", "minItems": 1, "maxItems": 16, "uniqueItems": true, "items": {"type":
        "string", "minLength": 1, "maxLength": 64, "not": {"enum": ["event", "planning"]}}},
        "link": {"type": "string", "maxLength": 2048, "pattern":
        "^(altids\\..+|extra\\..+|links\\..+|https://.*)$"},
        "prefix": {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._:/-]{0,95}$"},
        "itemCategories": {"type": "array", "maxItems": 16, "items": {"type": "string", "pattern":
        "^[A-Za-z0-9][A-Za-z0-9._:/-]{0,95}$"}},
        "headlines": {"anyOf": [{"$ref": "#/$defs/pointer"}, {"type": "array", "minItems": 1, "maxItems": 8,
        "items": {"$ref": "#/$defs/pointer"}}]},
        "textRules": {"anyOf": [{"$ref": "#/$defs/textFields"}, {"type": "object", "minProperties": 1,
        "maxProperties": 40, "propertyNames": {"$ref": "#/$defs/languageTag"}, "not": {"required": ["headline"]},
        "additionalProperties": {"$ref": "#/$defs/textFields"}}]},
        "urgencies": {"type": ["integer", "string"], "minimum": 1, "maximum": 9, "pattern":
        "^[1-9](\\.\\.[1-9])?$"},
        "phrases": {"type": "array", "maxItems": 100, "items": {"type": "string", "minLength": 1, "maxLength":
        200}},
        "storyRule": {"type": "string", "maxLength": 2048, "anyOf": [{"pattern": "^/"}, {"pattern":
        "^(altids|associations)\\..+$"}, {"pattern": "^[^*]*\\{story\\}[^*]*\\*?$"}]},
        "pointer": {"description": "A JSON Pointer (RFC 6901); one step may be *, which means each element.",
        "type": "string", "pattern": "^(/([^/~]|~[01])*)*$", "not": {"pattern": "/\\*(/.*)?/\\*(/|$)"}, "maxLength":
        1024, "examples": ["/article/id", "/tags/*/code"]},
        "field": {"description": "A path, a rule, or a list of these. The first that finds a value is used; for \#
        lists of codes and names all are.", "anyOf": [{"$ref": "#/$defs/pointer"}, {"$ref": "#/$defs/fieldRule"},
        {"type": "array", "minItems": 1, "maxItems": 16, "items": {"anyOf": [{"$ref": "#/$defs/pointer"}, {"$ref":
        "#/$defs/fieldRule"}]}}]},
        "timeField": {"anyOf": [{"$ref": "#/$defs/pointer"}, {"$ref": "#/$defs/timeRule"}, {"type": "array",
        "minItems": 1, "maxItems": 16, "items": {"anyOf": [{"$ref": "#/$defs/pointer"}, {"$ref":
        "#/$defs/timeRule"}]}}]},
        "fieldRule": {"type": "object", "additionalProperties": false, "anyOf": [{"required": ["pointer"]},
        {"required": ["default"]}], "properties": {"pointer": {"$ref": "#/$defs/pointer"}, "map": {"$ref":
        "#/$defs/fieldMap"}, "default": {"$ref": "#/$defs/fieldDefault"}, "prefix": {"$ref":
        "#/$defs/fieldPrefix"}}},
        "timeRule": {"type": "object", "additionalProperties": false, "anyOf": [{"required": ["pointer"]},
        {"required": ["default"]}], "properties": {"pointer": {"$ref": "#/$defs/pointer"}, "map": {"$ref":
        "#/$defs/fieldMap"}, "default": {"$ref": "#/$defs/fieldDefault"}, "prefix": {"$ref": "#/$defs/fieldPrefix"},
        "time": {"description": "The format of times.", "enum": ["rfc3339", "epochSeconds", "epochMilliseconds"]}}},
        "fieldMap": {"description": "Replacements for found values. Values without a replacement are used unchanged, \#
        and an empty replacement counts as missing. For `kind` case is ignored.", "type": "object", "maxProperties":
        1000, "additionalProperties": {"type": ["string", "number", "boolean"]}},
        "fieldDefault": {"description": "The value to use if none is found, and only then.", "type": ["string",
        "number", "boolean"]},
        "fieldPrefix": {"description": "The text to put before each found value.", "type": "string", "maxLength":
        96},
        "textFields": {"type": "object", "additionalProperties": false, "required": ["headline"], "properties":
        {"headline": {"$ref": "#/$defs/field"}, "summary": {"$ref": "#/$defs/field"}}}
        }
        """#

    /// Values of single keys.
    static let others = #"""
        {
        "version": {"enum": [1, "1"]},
        "brokers": {"anyOf": [{"type": "string", "pattern": "^[^\\s,]+(\\s*,\\s*[^\\s,]+)*$", "maxLength": 4096},
        {"type": "array", "minItems": 1, "maxItems": 64, "items": {"type": "string", "pattern": "^[^\\s,]+$",
        "maxLength": 261}}]},
        "memberName": {"type": "string", "pattern": "^[A-Za-z0-9._-]*$", "maxLength": 249},
        "extensionName": {"pattern": "^[A-Za-z]+$", "not": {"const": "auth"}, "maxLength": 100},
        "extension": {"type": "string", "pattern": "^[ -~]+$", "maxLength": 1000},
        "propertyName": {"pattern":
        "^(?!sasl\\.)(?!ssl\\.(?!(cipher\\.suites|crl\\.location|curves\\.list|sigalgs\\.list)$))[a-z][a-z0-9._]*$",
        "not": {"enum": ["acks", "allow.auto.create.topics", "api.version.request", "auto.commit.enable",
        "auto.offset.reset", "bootstrap.servers", "client.id", "delivery.report.only.error", "delivery.timeout.ms",
        "enable.auto.commit", "enable.auto.offset.store", "enable.gapless.guarantee", "enable.idempotence",
        "enable.partition.eof", "enable.ssl.certificate.verification", "enabled_events", "group.id",
        "group.instance.id", "group.protocol", "group.protocol.type", "group.remote.assignor",
        "heartbeat.interval.ms", "isolation.level", "log.queue", "max.in.flight",
        "max.in.flight.requests.per.connection", "max.poll.interval.ms", "message.send.max.retries",
        "message.timeout.ms", "metadata.broker.list", "offset.store.method", "partition.assignment.strategy",
        "partitioner", "queue.buffering.max.kbytes", "queue.buffering.max.messages", "queued.max.messages.kbytes",
        "queued.min.messages", "queuing.strategy", "request.required.acks", "retries", "security.protocol",
        "session.timeout.ms", "topic.blacklist", "transactional.id"]}},
        "property": {"type": ["string", "number", "boolean"]},
        "hubAddresses": {"anyOf": [{"type": "string", "pattern": "^ *[^/, ]+/[A-Za-z0-9._-]{1,260} *(, *[^/, \#
        ]+/[A-Za-z0-9._-]{1,260} *)*$", "maxLength": 4096}, {"type": "array", "maxItems": 16, "items": {"type":
        "string", "pattern": "^[^/, ]+/[A-Za-z0-9._-]{1,260}$", "maxLength": 520}}]},
        "languages": {"type": "array", "minItems": 1, "maxItems": 64, "uniqueItems": true, "items": {"$ref":
        "#/$defs/languageTag"}},
        "userPattern": {"type": "string", "maxLength": 62, "pattern":
        "^(\\$UserId:\\{user\\}|[A-Za-z0-9_@#.:-]*\\{user\\}[A-Za-z0-9_@#.:-]*)$"},
        "tags": {"anyOf": [{"$ref": "#/$defs/tag"}, {"type": "array", "maxItems": 1000, "uniqueItems": true,
        "items": {"$ref": "#/$defs/tag"}}]},
        "unknownCodes": {"anyOf": [{"enum": ["drop", "dead-letter"]}, {"$ref": "#/$defs/tag"}]},
        "hours": {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$"},
        "caps": {"anyOf": [{"$ref": "#/$defs/cap"}, {"type": "array", "minItems": 1, "maxItems": 16, "items":
        {"$ref": "#/$defs/cap"}}]},
        "controlTopic": {"type": "string", "pattern": "^([A-Za-z0-9._-]|\\{group\\})+$", "maxLength": 249},
        "ledgerTopic": {"type": "string", "pattern": "^([A-Za-z0-9._-]|\\{topic\\}|\\{group\\})+$", "maxLength":
        249},
        "address": {"maxLength": 261, "type": "string", "pattern":
        "^(off|(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9.-]+):[0-9]{1,5})$"},
        "hostNames": {"type": "array", "maxItems": 20, "items": {"type": "string", "pattern": "^[A-Za-z0-9._-]+$",
        "maxLength": 253}},
        "addressRanges": {"anyOf": [{"type": "string", "minLength": 2, "maxLength": 4096}, {"type": "array",
        "maxItems": 1000, "items": {"type": "string", "pattern": "^[0-9a-fA-F:.]+(/[0-9]{1,3})?$", "maxLength":
        49}}]},
        "propertyWord": {"pattern": "^[A-Za-z0-9_]+$", "maxLength": 120},
        "tagOrStar": {"anyOf": [{"const": "*"}, {"$ref": "#/$defs/tag"}]},
        "codes": {"anyOf": [{"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._:/, -]*$", "maxLength": 4096},
        {"type": "array", "maxItems": 1000, "uniqueItems": true, "items": {"$ref": "#/$defs/code"}}]},
        "categoryRule": {"description": "A list: any of the codes. all: all of the codes. each: one tag for each \#
        code of a family.", "anyOf": [{"$ref": "#/$defs/codes"}, {"type": "object", "additionalProperties": false,
        "required": ["all"], "properties": {"all": {"$ref": "#/$defs/codes"}}}, {"type": "object",
        "additionalProperties": false, "required": ["each", "tag"], "properties": {"each": {"description": "The \#
        beginning of the codes and a star: geo:*. A second star matches only codes of two parts: geo:*-*.", "type":
        "string", "pattern": "^[^*]+\\*([^*]+\\*)?$", "maxLength": 96}, "tag": {"description": "The tag; {code} \#
        stands for the part that the star matches.", "type": "string", "pattern":
        "^[A-Za-z0-9_@#.:-]*\\{code\\}[A-Za-z0-9_@#.:-]*$", "maxLength": 120}}}]},
        "sendForm": {"enum": ["template", "apns", "fcmv1", "wns", "adm", "browser"]},
        "sendForms": {"description": "One form or several. template: one request reaches all platforms, and the \#
        device's own template selects the property of its language. The others are native payloads of that platform, \#
        each in one language: the language of {locale} in the tags, otherwise the default one.", "anyOf": [{"$ref":
        "#/$defs/sendForm"}, {"type": "array", "minItems": 1, "maxItems": 6, "uniqueItems": true, "items": {"$ref":
        "#/$defs/sendForm"}}]},
        "tagPattern": {"description": "The tag of an audience: {category}, and {locale} if devices register by \#
        language, which makes one request per language. Without {category} there is one audience for all news.",
        "type": "string", "minLength": 1, "maxLength": 120, "pattern":
        "^([A-Za-z0-9_@#.:-]|\\{locale\\}|\\{category\\})+$", "examples": ["{category}", "{category}.{locale}",
        "breaking.{category}", "test"]},
        "words": {"anyOf": [{"type": "string", "minLength": 1, "maxLength": 1024}, {"type": "object",
        "minProperties": 1, "maxProperties": 64, "propertyNames": {"$ref": "#/$defs/languageTag"},
        "additionalProperties": {"type": "string", "minLength": 1, "maxLength": 1024}}], "examples": ["{headline}",
        {"en": "Breaking: {headline}", "fr": "Alerte : {headline}"}]},
        "notice": {"anyOf": [{"type": "string", "minLength": 1, "maxLength": 512, "pattern": "^[^{}]*$"}, {"type":
        "object", "minProperties": 1, "maxProperties": 64, "propertyNames": {"$ref": "#/$defs/languageTag"},
        "additionalProperties": {"type": "string", "minLength": 1, "maxLength": 512, "pattern": "^[^{}]*$"}}],
        "examples": ["You have a message", {"en": "You have a message", "fr": "Vous avez un message"}]},
        "userNames": {"anyOf": [{"type": "string", "pattern": "^ *[A-Za-z0-9_@#.-]{1,64} *(, *[A-Za-z0-9_@#.-]{1,64} \#
        *)*$"}, {"type": "array", "maxItems": 10000, "items": {"type": "string", "pattern": "^[A-Za-z0-9_@#.-]+$",
        "maxLength": 64}}]},
        "budget": {"anyOf": [{"$ref": "#/$defs/rate"}, {"const": "off"}], "examples": ["10 per minute", "off"]}
        }
        """#
}
