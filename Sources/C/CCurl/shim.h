#pragma once

#include <curl/curl.h>
#include <stdbool.h>
#include <sys/prctl.h>

// Swift cannot call variadic functions: one function for each shape of a value.

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

/// libcurl copies the text, except that of `CURLOPT_POSTFIELDS`.
static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}

/// libcurl does not copy the list: it must live as long as the transfer.
static inline CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

/// For `CURLOPT_WRITEFUNCTION` and `CURLOPT_HEADERFUNCTION`.
static inline CURLcode ccurl_set_write_function(CURL *easy, CURLoption option, curl_write_callback value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_prereq_function(CURL *easy, curl_prereq_callback value) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

/// The value of an information of type long, zero where there is none.
static inline long ccurl_long(CURL *easy, CURLINFO information) {
    long value = 0;
    return curl_easy_getinfo(easy, information, &value) == CURLE_OK ? value : 0;
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/// Takes the next ended transfer from the multi handle's messages; false when there is none left.
static inline bool ccurl_next_ended(CURLM *multi, CURL **easy, CURLcode *result) {
    int left = 0;
    for (;;) {
        const CURLMsg *message = curl_multi_info_read(multi, &left);
        if (message == NULL) return false;
        if (message->msg != CURLMSG_DONE) continue;
        *easy = message->easy_handle;
        *result = message->data.result;
        return true;
    }
}

/// Names the thread that calls; the kernel keeps 15 bytes.
static inline void ccurl_name_this_thread(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}
