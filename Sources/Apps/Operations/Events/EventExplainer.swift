import NewsflashPublishing
import NewsflashRendering
package import NewsflashTimestamps
package import NewsflashWorker
import NotificationHubs

/// Explains the outcomes of records, by a rehearsal.
package struct EventExplainer {
    let configuration: WorkerConfiguration
    let places: ConfigurationPlaces
    /// The templates of devices, with the names of their files.
    let templates: [(name: String, template: NotificationTemplate)]
    let now: Timestamp
    /// Warnings about templates, for people.
    package private(set) var warnings: [String] = []
    /// Notes about requests, whose hosts may be placeholders, for people.
    package let notesOnRequests: [String]
    /// The clients of the hubs, by the label used in requests.
    private let clients: [String: HubClient]

    /// Prepares explanations.
    ///
    /// - Parameters:
    ///   - configuration: The worker's configuration, with the sources that decode the records.
    ///   - places: The places of its keys.
    ///   - files: The templates of devices whose notifications are shown.
    ///   - now: The current time.
    /// - Throws: ``OperationError`` with exit code 65 if a hub would refuse a template.
    package init(
        _ configuration: WorkerConfiguration,
        places: ConfigurationPlaces,
        templates files: [TemplateFile] = [],
        now: Timestamp
    ) throws(OperationError) {
        self.configuration = configuration
        self.places = places
        self.now = now
        var templates: [(name: String, template: NotificationTemplate)] = []
        (clients, notesOnRequests) = try RenderedRequest.clients(for: configuration.hubs)
        for file in files {
            do throws(TemplateError) {
                let template = try file.template.get()
                warnings += template.warnings.map { "\(file.name): \($0)" }
                templates.append((file.name, template))
            } catch {
                throw OperationError(.badData, "\(file.name): \(error)")
            }
        }
        self.templates = templates
    }

    /// Explains records, each after the records and the orders before it.
    ///
    /// - Parameters:
    ///   - records: The records and orders.
    ///   - line: The line of the only record to explain; those after it are left out. `nil` for all.
    /// - Returns: The explanations in the order of the records.
    /// - Throws: ``OperationError`` with exit code 65 if the records lack it.
    package func explain(
        _ records: [PlacedRecord],
        line: Int? = nil
    ) throws(OperationError) -> [EventExplanation] {
        guard let last = records.last(where: { $0.record.order == nil && $0.line == line ?? $0.line }) else {
            let file = records.first.map { "\($0.file): " } ?? ""
            throw OperationError(
                .badData,
                line.map { "\(file)no event is on line \($0)" } ?? "the input contains no event"
            )
        }
        let before = line == nil ? records[...] : records.prefix { $0.line <= last.line }
        let start = Rehearsal.start(of: before.map(\.record), by: configuration) ?? now
        var rehearsal = Rehearsal(configuration, start: start)
        for record in before { rehearsal.receive(record.record) }
        rehearsal.finish()
        var explanations: [EventExplanation] = []
        for (placed, record) in zip(before.filter { $0.record.order == nil }, rehearsal.records)
        where line == nil || placed.line == line {
            explanations.append(EventExplanation(of: record, at: placed.place, by: self))
        }
        return explanations
    }

    /// The requests of an event, each with the notifications of devices with the templates.
    func requests(of push: RehearsedPush) -> [RenderedRequest] {
        push.sends.compactMap { send in
            // Sends to tags always make a request.
            guard let client = clients[send.hub],
                let request = try? client.request(for: send.message, to: .tags(send.expression))
            else { return nil }
            // Native payloads do not use templates.
            let notifications = (send.platform == PayloadFormat.template.rawValue ? templates : []).map {
                DeviceNotification(of: send.message.body, by: $0.template, name: $0.name)
            }
            return RenderedRequest(send: send, request: request, notifications: notifications)
        }
    }
}
