import { Dashboard, chart } from './dashboard';

/** Where events and records wait between gateway, Kafka and the tables. */
export const pipeline: Dashboard = {
  name: 'pipeline',
  title: 'pipeline',
  rows: [
    {
      title: 'From the edge to the topic',
      panels: [
        chart(
          'Receipt to topic',
          's',
          'From the gateway to the acknowledgement of Kafka; the objective is 99.9 % within 1 s.',
          ['histogram_quantile(0.99, sum by (le) (rate(ingestion_accept_to_topic_seconds_bucket[5m])))', '99 %'],
        ),
        chart('Steps of a batch', 's', '99 % of each step: read marks, links, Kafka, write marks.', [
          'histogram_quantile(0.99, sum by (step, le) (rate(ingestion_batch_step_seconds_bucket[5m])))',
          '{{step}}',
        ]),
        chart(
          'Waiting',
          'short',
          'Events at the gateway and in ingestion.',
          ['sum(gateway_queue_events)', 'gateway'],
          ['sum(ingestion_events_in_flight)', 'ingestion'],
        ),
        chart('Batches to ingestion', 'short', 'Events in a batch, on average.', [
          'sum(rate(gateway_batch_size_sum[5m])) / sum(rate(gateway_batch_size_count[5m]))',
          'events',
        ]),
        chart(
          'Ingestion instances not used',
          'short',
          'Instances that a gateway avoids after a failure; 0 when all are healthy.',
          ['max by (pod) (gateway_ingestion_resting)', '{{pod}}'],
        ),
        chart(
          'Redis',
          'none',
          '1: instances run without it.',
          ['max by (service) (redis_away)', '{{service}} unavailable'],
          ['max(gateway_limiter_mode)', 'local rate limits'],
        ),
        chart('Links looked up', 'reqps', 'From memory, from the table, or not linked.', [
          'sum by (result) (rate(ingestion_link_lookups_total[5m]))',
          '{{result}}',
        ]),
      ],
    },
    {
      title: 'Kafka',
      panels: [
        chart('Records written', 'reqps', 'By topic and outcome.', [
          'sum by (topic, outcome) (rate(kafka_producer_records_total[5m]))',
          '{{topic}} {{outcome}}',
        ]),
        chart('Time of a send', 's', '99 % of requests to the brokers.', [
          'histogram_quantile(0.99, sum by (service, le) (rate(kafka_producer_send_seconds_bucket[5m])))',
          '{{service}}',
        ]),
        chart('Sends repeated', 'reqps', 'Sends that were partly not acknowledged.', [
          'sum by (service) (rate(kafka_producer_resends_total[5m]))',
          '{{service}}',
        ]),
        chart('Consumer lag, age', 's', 'Age of the oldest record that a group has not processed.', [
          'max by (group, topic) (kafka_consumer_lag_seconds)',
          '{{group}} {{topic}}',
        ]),
        chart('Consumer lag, records', 'short', 'Of a group in a topic.', [
          'sum by (group, topic) (kafka_consumer_lag_records)',
          '{{group}} {{topic}}',
        ]),
        chart('Records read', 'reqps', 'By group and outcome.', [
          'sum by (group, outcome) (rate(kafka_consumer_records_total[5m]))',
          '{{group}} {{outcome}}',
        ]),
        chart('Partition pauses', 'short', 'Each 5 min, because of a dependency or of the record itself.', [
          'sum by (group, cause) (increase(kafka_consumer_retries_total[5m]))',
          '{{group}} {{cause}}',
        ]),
        chart('Dead letters', 'short', 'Each hour.', [
          'sum by (group, topic) (increase(kafka_consumer_dead_letters_total[1h]))',
          '{{group}} {{topic}}',
        ]),
        chart(
          'Undecodable batches',
          'short',
          'Records of the batch at which a partition is paused; passing it loses this many.',
          [
            'max by (group, topic, partition) (kafka_consumer_undecodable_last_offset - kafka_consumer_undecodable_first_offset + 1 and kafka_consumer_undecodable_first_offset >= 0)',
            '{{group}} {{topic}}/{{partition}}',
          ],
        ),
        chart('Replaced consumers', 'short', 'Each hour; their fetches hung while the brokers answered others.', [
          'sum by (service, group) (increase(kafka_consumer_replacements_total[1h]))',
          '{{service}} {{group}}',
        ]),
        chart('Groups that are joined', 'none', '1 while at least one instance is in the group.', [
          'max by (service, group) (kafka_consumer_joined)',
          '{{service}} {{group}}',
        ]),
        chart('Joins of groups', 'short', 'Each half hour, the most of one instance; a roll-out makes some.', [
          'max by (service, group) (increase(kafka_consumer_joins_total[30m]))',
          '{{service}} {{group}}',
        ]),
        chart('Time of a batch', 's', '95 % of the batches of a group.', [
          'histogram_quantile(0.95, sum by (group, le) (rate(kafka_consumer_batch_seconds_bucket[5m])))',
          '{{group}}',
        ]),
      ],
    },
    {
      title: 'Outboxes',
      panels: [
        chart('Oldest row', 's', 'Age of the oldest unpublished row.', [
          'max by (service) (outbox_oldest_age_seconds)',
          '{{service}}',
        ]),
        chart('Decision to topic', 's', 'From the transaction to the acknowledgement, 99 %.', [
          'histogram_quantile(0.99, sum by (topic, le) (rate(outbox_publish_seconds_bucket[5m])))',
          '{{topic}}',
        ]),
        chart('Keys at the gateways', 's', 'Since Kafka last confirmed them; at 60 s events are refused.', [
          'max(gateway_key_view_age_seconds)',
          'age',
        ]),
      ],
    },
  ],
};
