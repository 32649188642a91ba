import NewsflashBasics
package import NewsflashEvents
import NewsflashStrictJSON

/// The properties of a template send, from which the templates of devices take their texts.
///
/// Always present: `id story revision kind category url image`, `collapse_id expires ttl interruption sound` (see
/// ``PushTraits``), `headline summary` (in the default language) and, for each offered language, `headline_<locale>` and
/// `summary_<locale>` with `_` for `-`. No text is ever empty: if there is no summary, the headline is used instead, because
/// a template may show only the summary.
package struct TemplateProperties: Sendable {
    /// The maximum size in bytes of the JSON of a template send, set by the hub.
    package static let maximumBytes = 65_536
    /// The maximum number of properties that the newsroom configures.
    package static let maximumCount = 64

    /// The maximum length of a property's pattern in characters (Unicode scalars).
    package static let longestPattern = 4096

    /// The property that marks a send without the event's text.
    package static let deliveryName = "delivery"
    /// The properties of an event other than its texts.
    private static let facts: [PatternArgument.Field] = [.id, .story, .revision, .kind, .category, .url, .image]

    let locales: OfferedLocales
    /// The ellipsis at the end of texts that are cut because a body is too large.
    let ellipsis: String
    let headlineNames: [String]
    let summaryNames: [String]
    let chosen: [(name: String, pattern: MessagePattern)]
    /// Whether ``chosen`` uses anything other than the texts.
    let chosenHaveFacts: Bool
    /// The names of ``chosen`` as they are written.
    let writtenChoices: [[UInt8]]
    /// The names of each language's headline and summary as they are written.
    let writtenTexts: [(headline: [UInt8], summary: [UInt8])]
    /// `interruption` and `sound` as they are written for each level of `InterruptionLevel.allCases`.
    let writtenLevels: [[UInt8]]

    /// Checks the configured properties.
    ///
    /// - Parameters:
    ///   - locales: The languages of the texts.
    ///   - properties: `properties:` of the configuration: names of `[A-Za-z0-9_]{1,120}` and patterns, which may contain texts
    ///     of one language as in `{headline_fr}`.
    ///   - ellipsis: The mark at the end of texts that are cut because a body is too large.
    /// - Throws: ``RuleProblems`` with paths such as `properties.messageParam`.
    package init(
        locales: OfferedLocales,
        properties: [(name: String, pattern: String)] = [],
        ellipsis: String = "…"
    ) throws(RuleProblems) {
        var problems: [ValidationProblem] = []
        var chosen: [(name: String, pattern: MessagePattern)] = []
        self.locales = locales
        self.ellipsis = ellipsis
        self.headlineNames = locales.propertySuffixes.map { "headline_" + $0 }
        self.summaryNames = locales.propertySuffixes.map { "summary_" + $0 }
        var taken = Set((headlineNames + summaryNames).map { $0.lowercased() })
        taken.formUnion(PatternArgument.Field.allCases.map(\.rawValue) + PushTraits.propertyNames + [Self.deliveryName])
        if properties.count > Self.maximumCount {
            let message = "has \(properties.count) names; write at most \(Self.maximumCount)"
            problems.append(ValidationProblem(path: "properties", message: message))
        }
        for (name, text) in properties {
            let path = "properties.\(name)"
            if !Self.isPropertyName(name) {
                let message = "a property's name must have 1 to 120 ASCII letters, digits and _"
                problems.append(ValidationProblem(path: path, message: message))
            } else if !taken.insert(name.lowercased()).inserted {
                let message = "exists already (the case of letters is ignored); use another name"
                problems.append(ValidationProblem(path: path, message: message))
            }
            do throws(MessagePatternError) {
                let length = text.unicodeScalars.count
                if length > Self.longestPattern {
                    let message = "has \(length) characters; write at most \(Self.longestPattern)"
                    problems.append(ValidationProblem(path: path, message: message))
                }
                chosen.append((name, try MessagePattern(text, for: .property(locales))))
            } catch {
                problems.append(ValidationProblem(path: path, message: error.explanation))
            }
        }
        guard problems.isEmpty else { throw RuleProblems(problems) }
        self.chosen = chosen
        let texts = zip(headlineNames, summaryNames).flatMap { [$0, $1] }
        names =
            Self.facts.map(\.rawValue) + PushTraits.propertyNames + ["headline", "summary"] + texts
            + chosen.map(\.name)
        chosenHaveFacts = chosen.contains(where: \.pattern.hasFacts)
        writtenChoices = chosen.map { JSONWriter.prepared(name: $0.name) }
        writtenTexts = zip(headlineNames, summaryNames).map {
            (JSONWriter.prepared(name: $0), JSONWriter.prepared(name: $1))
        }
        writtenLevels = InterruptionLevel.allCases.map { level in
            [UInt8](#""interruption":"\#(level.appleName)","sound":"\#(level.sound)""#.utf8)
        }
    }

    /// Finds branches of choices whose value never occurs.
    ///
    /// - Parameter isCategory: Whether a request can be for a category.
    /// - Returns: A warning for each such branch.
    package func warnings(isCategory: (String) -> Bool) -> [ValidationProblem] {
        chosen.flatMap { name, pattern in
            pattern.impossibleSelectors(kinds: TextKind.allCases, isCategory: isCategory)
                .map { ValidationProblem(path: "properties.\(name)", message: $0) }
        }
    }

    /// The names of the properties in every send, in the order of ``payload(for:from:news:push:category:locale:)``.
    package let names: [String]

    private static func isPropertyName(_ name: String) -> Bool {
        (1...120).contains(name.utf8.count)
            && name.utf8.allSatisfy { $0 == UInt8(ascii: "_") || $0.isLetterOrDigit }
    }
}

/// The common part of the sends of one event, written once for all of them.
package struct TemplateDraft: Sendable {
    /// An object that has the parts in sequence and no end.
    let members: [UInt8]
    /// The members before the category.
    let facts: Range<Int>
    /// The members between the category and the texts in the send's own language.
    let traits: Range<Int>
    /// The texts of all languages.
    let words: Range<Int>
    /// The time-dependent properties, a part of ``traits``, with the comma before them.
    let clockPart: Range<Int>
}

/// The body of a template send.
package struct TemplatePayload: Sendable, Equatable {
    /// A JSON object of strings.
    package let body: [UInt8]
    /// Whether texts were shortened again so that all languages fit.
    package let isShortened: Bool
    /// The range of the time-dependent properties in ``body``: `expires` and `ttl`.
    package let clockPart: Range<Int>
}

/// The error for an event whose body exceeds the size that the hub accepts.
package struct TemplatePayloadError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The size of the body in bytes, before anything was shortened.
    package let bytes: Int

    /// The problem and what to do.
    package var description: String {
        "the properties of the template send take \(bytes) bytes and do not fit in \(TemplateProperties.maximumBytes) "
            + "even with the shortest texts; configure fewer languages or properties"
    }
}
