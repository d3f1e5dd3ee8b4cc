import { CauseAlert } from '../alert';

/** What goes wrong between services: topics, groups, outboxes, and what engagement and the projector make of records. */
export const pipelineAlerts: readonly CauseAlert[] = [
  {
    name: 'OutboxStandsStill',
    severity: 'page',
    expr: 'max by (service) (outbox_oldest_age_seconds) > 60',
    for: '2m',
    summary: 'The outbox of {{ $labels.service }} has a record that waits for {{ $value | humanizeDuration }}',
    description:
      'What was decided is not published: awards of engagement, or links, keys and integrations of linkage. Nothing is lost. Kafka is away, or no instance leads the relay.',
  },
  {
    name: 'OutboxClosed',
    severity: 'page',
    expr: 'max by (service) (outbox_closed_seconds) > 90',
    for: '1m',
    summary:
      'The outbox of {{ $labels.service }} has been closed for {{ $value | humanizeDuration }} since a failover of Postgres',
    description:
      'Postgres has lost commits that were published, or they cannot be compared with the topics. linkage: nobody links or unlinks, operators change nothing. engagement: no awards. Events are accepted.',
  },
  {
    name: 'ConsumerLagHigh',
    severity: 'page',
    expr: 'max by (group, topic) (kafka_consumer_lag_seconds{group!="competition-read.projection"}) > 120',
    for: '3m',
    summary: '{{ $labels.group }} is {{ $value | humanizeDuration }} behind in {{ $labels.topic }}',
    description: 'Awards, links or answers take effect late. Nothing is lost while the topic keeps its records.',
  },
  {
    name: 'ConsumerLagGrows',
    severity: 'ticket',
    expr: [
      'max by (group, topic) (kafka_consumer_lag_seconds) > 15',
      'and deriv(max by (group, topic) (kafka_consumer_lag_seconds)[10m:30s]) > 0.1',
    ].join('\n'),
    for: '5m',
    summary: '{{ $labels.group }} falls further behind in {{ $labels.topic }}: {{ $value | humanizeDuration }} now',
    description: 'More comes than the group can do, or one of its partitions stands still.',
  },
  {
    name: 'BatchUndecodable',
    severity: 'page',
    expr: 'max by (group, topic, partition) (kafka_consumer_undecodable_first_offset) >= 0',
    for: '1m',
    summary:
      '{{ $labels.group }} stands still before offset {{ $value | printf "%.0f" }} of partition {{ $labels.partition }} of {{ $labels.topic }}',
    description:
      'A batch there cannot be decoded. Nothing behind it takes effect until it can be, or until operators let the group pass it; other partitions go on.',
  },
  {
    name: 'ConsumersReplaced',
    severity: 'ticket',
    expr: 'sum by (service, group) (increase(kafka_consumer_replacements_total[1h])) > 2',
    for: '0m',
    summary: 'Consumers of {{ $labels.group }} hang again and again: {{ $value | humanize }} were replaced within 1 h',
    description:
      'Their fetches had no answer for a minute while the brokers answered others. Each replacement delays its partitions by that minute and loses nothing; a network between the service and a broker is usually behind it.',
  },
  {
    name: 'DeadLetters',
    severity: 'ticket',
    expr: 'sum by (group, topic) (increase(kafka_consumer_dead_letters_total[1h])) > 0',
    for: '0m',
    summary: '{{ $labels.group }} put records of {{ $labels.topic }} into its dead letters',
    description: 'These records have no effect until they are handed over again. They are kept for 14 days.',
  },
  {
    name: 'ProducerFails',
    severity: 'ticket',
    expr: [
      'sum by (service, topic) (rate(kafka_producer_records_total{outcome!="acknowledged"}[5m])) / sum by (service, topic) (rate(kafka_producer_records_total[5m])) > 0.05',
      'and sum by (service, topic) (increase(kafka_producer_records_total{outcome!="acknowledged"}[5m])) >= 10',
    ].join('\n'),
    for: '2m',
    summary: '{{ $value | humanizePercentage }} of the records of {{ $labels.service }} for {{ $labels.topic }} fail',
    description: 'Kafka does not take them in time or refuses them. Events are answered 503; outboxes wait.',
  },
  {
    name: 'ProjectorStuck',
    severity: 'page',
    expr: 'max(kafka_consumer_lag_seconds{group="competition-read.projection"}) > 300',
    for: '5m',
    summary: 'Competition data is {{ $value | humanizeDuration }} out of date',
    description: 'Reads go on with old data. The projector cannot write, or more changes come than it can apply.',
  },
  {
    name: 'RebuildDue',
    severity: 'ticket',
    expr: 'max(competition_read_rebuild_due) == 1',
    for: '1h',
    summary: 'The tables of competition data are those of an older projection',
    description: 'A release has changed what documents are made into. Until the rebuild, reads show the former shape.',
  },
  {
    name: 'DueTimesLate',
    severity: 'ticket',
    expr: 'max(engagement_due_lag_seconds) > 120',
    for: '10m',
    summary: 'What is due in engagement waits for {{ $value | humanizeDuration }}',
    description: 'Users leave segments and get awards that time brings too late.',
  },
  {
    name: 'ErasureLate',
    severity: 'ticket',
    expr: 'max(linkage_erasure_oldest_seconds) > 3600',
    for: '5m',
    summary: 'The erasure of a user has been under way for {{ $value | humanizeDuration }}',
    description: 'A service still holds what a user asked to be forgotten: a group of erasures stands still.',
  },
  {
    name: 'AwardAnswersWrong',
    severity: 'ticket',
    expr: 'sum by (outcome) (increase(engagement_award_answers_total{outcome=~"contradicting|unknown"}[1h])) > 0',
    for: '0m',
    summary: 'The bonus engine gave {{ $labels.outcome }} answers to awards',
    description:
      'It answered an award that does not exist, or one award in two ways. The ledger keeps the first answer; somebody must find out whether money went the wrong way.',
  },
];
