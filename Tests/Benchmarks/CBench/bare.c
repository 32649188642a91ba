#include "CNewsflashBench.h"

#include <curl/curl.h>
#include <stdio.h>

// A small send, as to the hub; nothing in it is real.
static const char body[] =
    "{\"headline_en\":\"Breaking World News: Something happened somewhere today\","
    "\"headline_fr\":\"Flash: quelque chose est arrive\",\"storyId\":\"abc\"}";
static const char *const fields[] = {
    "Content-Type: application/json;charset=utf-8",
    "ServiceBusNotification-Format: template",
    "ServiceBusNotification-Tags: World || Politics",
    "Authorization: SharedAccessSignature sr=https%3a%2f%2fns.servicebus.windows.net%2fhub&sig="
    "abcdefghijklmnopqrstuvwxyz0123456789abcdefgh%3d&se=1795215208&skn=DefaultFullSharedAccessSignature",
};

static size_t drop(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes;
    (void)context;
    return size * count;
}

static CURL *make_request(const char *url, struct curl_slist *headers) {
    CURL *easy = curl_easy_init();
    if (easy == NULL) return NULL;
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, drop);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, drop);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    return easy;
}

/// Whether a transfer that ended brought a 201.
static bool is_created(CURL *easy, CURLcode result, char *problem, size_t room) {
    long status = 0;
    if (result != CURLE_OK) {
        snprintf(problem, room, "%s", curl_easy_strerror(result));
        return false;
    }
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    if (status != 201) snprintf(problem, room, "status %ld", status);
    return status == 201;
}

static long perform(CURLM *multi, int in_flight, long requests, char *problem, size_t room) {
    long started = in_flight, ended = 0;
    int running, left;
    while (ended < requests) {
        curl_multi_perform(multi, &running);
        for (CURLMsg *message; (message = curl_multi_info_read(multi, &left)) != NULL;) {
            if (message->msg != CURLMSG_DONE) continue;
            CURL *easy = message->easy_handle;
            CURLcode result = message->data.result;
            if (!is_created(easy, result, problem, room)) return ended;
            ended++;
            curl_multi_remove_handle(multi, easy);
            if (started < requests) {
                curl_multi_add_handle(multi, easy);
                started++;
            }
        }
        if (ended < requests) curl_multi_poll(multi, NULL, 0, 100, NULL);
    }
    return ended;
}

long cbench_bare_lap(const char *url, int in_flight, long requests, char *problem, size_t room) {
    enum { MOST = 4096 };
    static CURL *handles[MOST];
    struct curl_slist *headers = NULL;
    if (in_flight > MOST) in_flight = MOST;
    if (in_flight > requests) in_flight = (int)requests;
    curl_global_init(CURL_GLOBAL_DEFAULT);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) headers = curl_slist_append(headers, fields[i]);
    CURLM *multi = curl_multi_init();
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)in_flight);
    for (int i = 0; i < in_flight; i++) {
        handles[i] = make_request(url, headers);
        if (handles[i] != NULL) curl_multi_add_handle(multi, handles[i]);
    }
    long ended = perform(multi, in_flight, requests, problem, room);
    for (int i = 0; i < in_flight; i++) {
        if (handles[i] == NULL) continue;
        curl_multi_remove_handle(multi, handles[i]);
        curl_easy_cleanup(handles[i]);
    }
    curl_multi_cleanup(multi);
    curl_slist_free_all(headers);
    return ended;
}
