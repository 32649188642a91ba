import NewsflashTimestamps
package import NewsflashWorker

extension RedrivePlan {
    /// Reads the chosen dead letters, and leaves out those that would fail again until the plan has none of them.
    ///
    /// - Parameters:
    ///   - settings: The topics.
    ///   - configuration: The rules for the forecast; `nil` for no forecast.
    ///   - includesFailing: Whether those that would fail again stay in the plan.
    /// - Returns: The dead letters, and what each would become.
    /// - Throws: ``OperationError`` if Kafka cannot be read.
    package mutating func prepare(
        _ settings: TopicSettings,
        by configuration: WorkerConfiguration?,
        includesFailing: Bool
    ) async throws(OperationError) -> (
        bodies: [DeadLetterPosition: DeadLetterBody], forecasts: [DeadLetterPosition: String]
    ) {
        var bodies: [DeadLetterPosition: DeadLetterBody] = [:]
        var forecasts: [DeadLetterPosition: String] = [:]
        var added = chosen
        while !added.isEmpty {
            let read = try await LetterBodies.read(added.map(\.place), settings)
            var omitted: [DeadLetterPosition: String] = [:]
            for (place, body) in read {
                let forecast = configuration.map { RedriveForecast(of: body, by: $0) }
                if let forecast, forecast.failsAgain, !includesFailing {
                    omitted[place] = forecast.label
                } else {
                    bodies[place] = body
                    forecasts[place] = forecast?.label
                }
            }
            added = leaveOut(omitted)
        }
        return (bodies, forecasts)
    }
}

extension RedriveReport {
    /// Adds the present outcomes of copies that an earlier run wrote.
    ///
    /// - Parameters:
    ///   - underWay: The dead letters with such copies.
    ///   - reader: The reader of dead letters.
    ///   - criteria: The criteria by which they were found.
    /// - Returns: The report with them.
    /// - Throws: ``OperationError`` if Kafka cannot be read.
    package func adding(
        _ underWay: [AssessedDeadLetter],
        in reader: DeadLetterReader,
        _ criteria: DeadLetterCriteria
    ) async throws(OperationError) -> RedriveReport {
        guard !underWay.isEmpty else { return self }
        let places = Set(underWay.map(\.letter.place))
        let now = try await reader.read(criteria, (underWay.map(\.letter.at).min().map { $0 - .seconds(600) }, nil))
        let earlier = now.letters.compactMap { judged -> RedrivenLetter? in
            guard places.contains(judged.letter.place), case .redriven(let copy) = judged.state else { return nil }
            return RedrivenLetter(letter: judged.letter, copy: copy)
        }
        return RedriveReport(letters: letters + earlier, mostRedrives: mostRedrives)
    }
}
