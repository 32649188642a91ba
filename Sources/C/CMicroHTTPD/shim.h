#pragma once
#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <microhttpd.h>
#include <stdbool.h>
#include <string.h>

// MHD_start_daemon is variadic, which Swift does not import; and MHD takes percent-encoding apart unless told otherwise.

// From this version on, libmicrohttpd can refuse a bare LF, in the head and between chunks.
#define CMHD_HAS_DISCIPLINE (MHD_VERSION >= 0x00097701)

/// Whether libmicrohttpd itself refuses a line that does not end in CR LF.
static const bool cmhd_checks_line_ends = CMHD_HAS_DISCIPLINE;

/// What the daemon is started with.
struct cmhd_options {
    MHD_socket listen_socket;
    unsigned int connection_limit;
    unsigned int idle_timeout_seconds;
    size_t connection_memory;
    /// Gives the certificate for a handshake; NULL for no TLS.
    gnutls_certificate_retrieve_function2 *show_certificate;
};

/// Leaves the text as it was sent.
static size_t cmhd_keep_escapes(void *cls, struct MHD_Connection *connection, char *text) {
    (void)cls;
    (void)connection;
    return strlen(text);
}

/// Makes a daemon on a listening socket, to be run with MHD_run; NULL with errno set when it cannot.
static inline struct MHD_Daemon *cmhd_start(
    struct cmhd_options options,
    void *context,
    MHD_AcceptPolicyCallback admits,
    MHD_NotifyConnectionCallback on_connection,
    void *(*on_request_line)(void *cls, const char *uri, struct MHD_Connection *connection),
    MHD_AccessHandlerCallback on_request,
    MHD_RequestCompletedCallback on_completed
) {
    // The service's own minimum.
    static char versions[] = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2";
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_CERT_CALLBACK, 0, (void *)options.show_certificate},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, versions},
        {MHD_OPTION_END, 0, NULL},
    };
    unsigned int flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME;
    if (options.show_certificate) flags |= MHD_USE_TLS;
    return MHD_start_daemon(
        flags, 0, admits, context, on_request, context,
        MHD_OPTION_ARRAY, options.show_certificate ? tls : tls + 2,
        MHD_OPTION_LISTEN_SOCKET, options.listen_socket,
        MHD_OPTION_CONNECTION_LIMIT, options.connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, options.idle_timeout_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, options.connection_memory,
        MHD_OPTION_UNESCAPE_CALLBACK, &cmhd_keep_escapes, NULL,
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, context,
        MHD_OPTION_URI_LOG_CALLBACK, on_request_line, context,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, context,
#if CMHD_HAS_DISCIPLINE
        MHD_OPTION_CLIENT_DISCIPLINE_LVL, 1,
#endif
        MHD_OPTION_END
    );
}

/// The socket of a connection; MHD_get_connection_info is variadic as well.
static inline MHD_socket cmhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : MHD_INVALID_SOCKET;
}

/// Who is at the other end of a connection; NULL where libmicrohttpd does not know.
static inline const struct sockaddr *cmhd_client(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

/// How many bytes the head of a request has, from its request line to its empty line; 0 if libmicrohttpd does not know.
static inline size_t cmhd_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

/// How many bytes a text has; 0 if there is none.
static inline size_t cmhd_length(const char *text) {
    return text ? strlen(text) : 0;
}

/// Sends bytes past libmicrohttpd, within TLS where the connection has it; what the system does not take at once is lost.
static inline void cmhd_send(struct MHD_Connection *connection, const void *bytes, size_t size, int flags) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    if (info && info->tls_session) {
        (void)!gnutls_record_send((gnutls_session_t)info->tls_session, bytes, size);
    } else {
        (void)!send(cmhd_socket(connection), bytes, size, flags);
    }
}

/// What the callback for the connection's start has kept with it.
static inline void *cmhd_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/// Can be read when the daemon has something to do; MHD_get_daemon_info is variadic, too.
static inline int cmhd_epoll_descriptor(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}
