import { upTo } from '../prometheus/bucket-bounds';

/** An objective, and how it is measured. */
export interface Slo {
  /** In kebab-case; names its runbook, its recordings' label and its alert. */
  readonly name: string;
  readonly title: string;
  /** Promised share of good events over 30 days. */
  readonly objective: number;
  /** PromQL for the rate of good events; `$window` is the window. */
  readonly good: string;
  /** PromQL for the rate of all events that count. */
  readonly total: string;
  /** The promise to users, and events that do not count. */
  readonly meaning: string;
  /** Series that a good, a bad and an ignored event increase; scenarios are made from them. */
  readonly raised: {
    readonly good: readonly string[];
    readonly bad: readonly string[];
    readonly ignored: readonly string[];
  };
}

const userEvents = 'topic="ingestion.user-events.v1"';
const awards = 'topic="engagement.bonus-awards.v1"';

/** The one table of objectives; rules, alerts, dashboards and docs/operations/slo.md derive from it. */
export const slos: readonly Slo[] = [
  {
    name: 'acceptance-success',
    title: 'Acceptance success',
    objective: 0.999,
    good: 'sum(rate(gateway_event_answers_total{status_class="2xx"}[$window]))',
    total: 'sum(rate(gateway_event_answers_total{status_class!="4xx"}[$window]))',
    meaning:
      'A partner that sends a correct event, alone or in a batch, gets 200 for it. Each event of a batch counts by its own status; a batch that is refused before its events are read counts as one event. 4XX answers do not count: they are client errors, refusals and rate limits.',
    raised: {
      good: ['gateway_event_answers_total{status_class="2xx"}'],
      bad: ['gateway_event_answers_total{status_class="5xx"}'],
      ignored: ['gateway_event_answers_total{status_class="4xx"}'],
    },
  },
  {
    name: 'acceptance-latency',
    title: 'Acceptance latency',
    objective: 0.99,
    good: 'sum(rate(gateway_request_duration_seconds_bucket{route="send-event",status_class="2xx",le="0.25"}[$window]))',
    total: 'sum(rate(gateway_request_duration_seconds_count{route="send-event",status_class="2xx"}[$window]))',
    meaning:
      'An event that is sent alone and answered with 200 is answered within 250 ms, from the last header to the response. Batch requests do not count, because their time grows with the number of their events; how long each of these takes to Kafka counts in "Accept to topic".',
    raised: {
      good: [
        'gateway_request_duration_seconds_bucket{route="send-event",status_class="2xx",le="0.25"}',
        'gateway_request_duration_seconds_count{route="send-event",status_class="2xx"}',
      ],
      bad: ['gateway_request_duration_seconds_count{route="send-event",status_class="2xx"}'],
      ignored: ['gateway_request_duration_seconds_count{route="send-event",status_class="4xx"}'],
    },
  },
  {
    name: 'accept-to-topic',
    title: 'Accept to topic',
    objective: 0.999,
    good: `sum(rate(ingestion_accept_to_topic_seconds_bucket{${upTo(1)}}[$window]))`,
    total: `sum(rate(kafka_producer_records_total{${userEvents}}[$window]))`,
    meaning: 'An event that passes admission is acknowledged by Kafka within 1 s of its receipt at the gateway.',
    raised: {
      good: [
        'ingestion_accept_to_topic_seconds_bucket{le="1"}',
        `kafka_producer_records_total{${userEvents},outcome="acknowledged"}`,
      ],
      bad: [`kafka_producer_records_total{${userEvents},outcome="unknown"}`],
      ignored: ['kafka_producer_records_total{topic="linkage.links.v1",outcome="unknown"}'],
    },
  },
  {
    name: 'accept-to-award',
    title: 'Accept to award',
    objective: 0.99,
    good: `sum(rate(engagement_accept_to_apply_seconds_bucket{${upTo(5)}}[$window]))`,
    total: `sum(rate(kafka_producer_records_total{${userEvents},outcome="acknowledged"}[$window]))`,
    meaning:
      'An event in the topic is applied, with the awards that it brings committed, within 5 s of its receipt at the gateway. All events count, whether they bring an award or not: a paused consumer brings no awards and would otherwise look healthy. A repeat and an event of an erased user have no effect; they are good once they are passed within this time. Dead letters count as bad; 1 % allows for measurements that an ending instance could not report.',
    raised: {
      good: [
        'engagement_accept_to_apply_seconds_bucket{le="5"}',
        `kafka_producer_records_total{${userEvents},outcome="acknowledged"}`,
      ],
      bad: [`kafka_producer_records_total{${userEvents},outcome="acknowledged"}`],
      ignored: [`kafka_producer_records_total{${userEvents},outcome="unknown"}`],
    },
  },
  {
    name: 'award-publication',
    title: 'Award publication',
    objective: 0.99,
    good: `sum(rate(outbox_publish_seconds_bucket{${awards},${upTo(5)}}[$window]))`,
    // Reversals are records of the same topic, so that `good` counts them too.
    total: 'sum(rate(engagement_awards_total[$window])) + sum(rate(engagement_reversals_total[$window]))',
    meaning:
      'An award that is committed, or the reversal of one, is on its topic, where the bonus engine reads it, within 5 s.',
    raised: {
      good: [`outbox_publish_seconds_bucket{${awards},le="5"}`, 'engagement_reversals_total'],
      bad: ['engagement_awards_total'],
      ignored: [],
    },
  },
  {
    name: 'link-completion',
    title: 'Link completion',
    objective: 0.99,
    good: 'sum(rate(linkage_link_flows_finished_total{outcome="ready"}[$window]))',
    total: 'sum(rate(linkage_link_flows_finished_total{outcome=~"ready|pending|error"}[$window]))',
    meaning:
      'A user who returns from a partner after a successful log-in sees the partner connected, known to every part of the service, within 8 s. Flows that users cancel or that partners refuse or fail do not count; failures of partners have their own alert.',
    raised: {
      good: ['linkage_link_flows_finished_total{platform="acme",outcome="ready"}'],
      bad: ['linkage_link_flows_finished_total{platform="acme",outcome="pending"}'],
      ignored: ['linkage_link_flows_finished_total{platform="acme",outcome="partner_unavailable"}'],
    },
  },
];
