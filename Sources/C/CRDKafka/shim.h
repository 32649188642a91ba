#pragma once
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

/* Queues one record, copying key and value. A null key or value stays null, a non-null pointer with size 0 is empty.
 * The topic goes by its handle, or by its name where there is none. Timestamp 0 means now. Takes the headers only when it
 * returns NULL. */
static inline rd_kafka_error_t *crdkafka_produce(rd_kafka_t *rk, rd_kafka_topic_t *handle, const char *topic,
                                                 int32_t partition,
                                                 const void *key, size_t key_size,
                                                 const void *value, size_t value_size,
                                                 rd_kafka_headers_t *headers, int64_t timestamp, void *opaque) {
    rd_kafka_vu_t vus[8];
    size_t count = 0;

    if (handle) {
        vus[count].vtype = RD_KAFKA_VTYPE_RKT;
        vus[count++].u.rkt = handle;
    } else {
        vus[count].vtype = RD_KAFKA_VTYPE_TOPIC;
        vus[count++].u.cstr = topic;
    }
    vus[count].vtype = RD_KAFKA_VTYPE_PARTITION;
    vus[count++].u.i32 = partition;
    vus[count].vtype = RD_KAFKA_VTYPE_MSGFLAGS;
    vus[count++].u.i = RD_KAFKA_MSG_F_COPY;
    vus[count].vtype = RD_KAFKA_VTYPE_OPAQUE;
    vus[count++].u.ptr = opaque;
    vus[count].vtype = RD_KAFKA_VTYPE_TIMESTAMP;
    vus[count++].u.i64 = timestamp;
    vus[count].vtype = RD_KAFKA_VTYPE_KEY;
    vus[count].u.mem.ptr = (void *)key;
    vus[count++].u.mem.size = key_size;
    vus[count].vtype = RD_KAFKA_VTYPE_VALUE;
    vus[count].u.mem.ptr = (void *)value;
    vus[count++].u.mem.size = value_size;
    if (headers) {
        vus[count].vtype = RD_KAFKA_VTYPE_HEADERS;
        vus[count++].u.headers = headers;
    }
    return rd_kafka_produceva(rk, vus, count);
}

/* rd_kafka_error_new is variadic. */
static inline rd_kafka_error_t *crdkafka_error(rd_kafka_resp_err_t code) {
    return rd_kafka_error_new(code, "%s", rd_kafka_err2str(code));
}

/* rd_kafka_mock_broker_push_request_error_rtts is variadic. */
static inline rd_kafka_resp_err_t crdkafka_mock_push_error(rd_kafka_mock_cluster_t *cluster, int32_t broker, int16_t api,
                                                           rd_kafka_resp_err_t error) {
    return rd_kafka_mock_broker_push_request_error_rtts(cluster, broker, api, 1, error, 0);
}
