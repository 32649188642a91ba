// Re-exports the core, because its types are part of this library's interface.
@_exported public import NotificationHubsCore
