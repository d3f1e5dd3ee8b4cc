import { CauseAlert } from './cause-alert';

/** Alerts on the event flow between services: topics, consumer groups, outboxes, and the processing of records. */
export const pipelineAlerts: readonly CauseAlert[] = [
  {
    name: 'OutboxStuck',
    severity: 'page',
    expr: 'max by (service) (outbox_oldest_age_seconds) > 60',
    for: '2m',
    summary: 'The outbox of {{ $labels.service }} has a record that has waited for {{ $value | humanizeDuration }}',
    description:
      'Committed changes are not published: awards of engagement, or links, keys and integrations of linkage. Nothing is lost. Kafka is unavailable, or no instance is leader of the relay.',
  },
  {
    name: 'OutboxClosed',
    severity: 'page',
    expr: 'max by (service) (outbox_closed_seconds) > 90',
    for: '1m',
    summary:
      'The outbox of {{ $labels.service }} has been closed for {{ $value | humanizeDuration }} since a failover of Postgres',
    description:
      'Postgres has lost commits that were published, or they cannot be compared with the topics. linkage: users cannot link or unlink, operators cannot change anything. engagement: no awards. Events are still accepted.',
  },
  {
    name: 'ConsumerLagHigh',
    severity: 'page',
    expr: 'max by (group, topic) (kafka_consumer_lag_seconds{group!="competition-read.projection"}) > 120',
    for: '3m',
    summary: '{{ $labels.group }} is {{ $value | humanizeDuration }} behind in {{ $labels.topic }}',
    description:
      'Awards, links or award results take effect late. Nothing is lost while the topic retains its records.',
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
    description: 'More records arrive than the group can process, or one of its partitions is paused.',
  },
  {
    name: 'GroupNotJoined',
    severity: 'page',
    expr: 'max by (service, group) (kafka_consumer_joined) == 0',
    // Well below the fifteen minutes after which an instance that waits for its group is restarted: with it the series ends.
    for: '3m',
    summary: 'No instance of {{ $labels.service }} is in {{ $labels.group }}',
    description:
      'Nothing reads the records of the group. No alert on lag fires for these instances: an instance measures the lag of the partitions that it has. The coordinator of the group does not answer, or the rights of the Kafka user lack the group.',
  },
  {
    name: 'GroupUnstable',
    severity: 'ticket',
    // Above what one roll-out of eight instances makes, and two of them in the longer time: each instance that starts or stops makes
    // the others join again. The longer time is for losses that are rarer, and still too frequent for the alerts on lag.
    expr: [
      'max by (service, group) (increase(kafka_consumer_joins_total[30m])) > 20',
      'or max by (service, group) (increase(kafka_consumer_joins_total[2h])) > 36',
    ].join('\n'),
    for: '0m',
    summary:
      'An instance of {{ $labels.service }} joined {{ $labels.group }} {{ $value | humanize }} times within 30 min or 2 h',
    description:
      'Members lose their place in the group again and again. Nothing is read meanwhile, and nothing is lost. Alerts on lag may stay silent, because each loss ends their series. The usual causes are an instance that restarts, batches that block the event loop, or the network to the coordinator.',
  },
  {
    name: 'BatchUndecodable',
    severity: 'page',
    expr: 'max by (group, topic, partition) (kafka_consumer_undecodable_first_offset) >= 0',
    for: '1m',
    summary:
      '{{ $labels.group }} is paused before offset {{ $value | printf "%.0f" }} of partition {{ $labels.partition }} of {{ $labels.topic }}',
    description:
      'A batch there cannot be decoded. No record after it takes effect until it can be decoded, or until operators let the group pass it. Other partitions continue.',
  },
  {
    name: 'ConsumersReplaced',
    severity: 'ticket',
    expr: 'sum by (service, group) (increase(kafka_consumer_replacements_total[1h])) > 2',
    for: '0m',
    summary: 'Consumers of {{ $labels.group }} hang repeatedly: {{ $value | humanize }} were replaced within 1 h',
    description:
      'Their fetches got no response for a minute while the brokers answered others. Each replacement delays its partitions by that minute and loses nothing. The usual cause is the network between the service and a broker.',
  },
  {
    name: 'DeadLetters',
    severity: 'ticket',
    expr: 'sum by (group, topic) (increase(kafka_consumer_dead_letters_total[1h])) > 0',
    for: '0m',
    summary: '{{ $labels.group }} moved records of {{ $labels.topic }} to its dead letters',
    description: 'These records have no effect until they are redriven. They are retained for 14 days.',
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
    description:
      'Kafka does not acknowledge them in time or refuses them. Events are answered with 503; outboxes wait.',
  },
  {
    name: 'PartitionWithoutLeader',
    severity: 'page',
    expr: 'max by (topic) (kafka_partitions_without_leader) > 0',
    for: '2m',
    summary: '{{ $value | printf "%.0f" }} partitions of {{ $labels.topic }} have no leader that answers',
    description:
      'Their records can be neither written nor read, and wait; events for them are answered with 503. Other partitions continue. No broker with all of their records is available, or a service cannot reach the one that leads them.',
  },
  {
    name: 'ProjectorStuck',
    severity: 'page',
    expr: 'max(kafka_consumer_lag_seconds{group="competition-read.projection"}) > 300',
    for: '5m',
    summary: 'Competition data is {{ $value | humanizeDuration }} out of date',
    description: 'Reads return old data. The projector cannot write, or more changes arrive than it can apply.',
  },
  {
    name: 'RebuildDue',
    severity: 'ticket',
    expr: 'max(competition_read_rebuild_due) == 1',
    for: '1h',
    summary: 'The tables of competition data were built by another projection',
    description:
      'A release has changed how documents become rows, or was rolled back. Until the rebuild, reads return the former shape.',
  },
  {
    name: 'DueTimesLate',
    severity: 'ticket',
    expr: 'max(engagement_due_lag_seconds) > 120',
    for: '10m',
    summary: 'Due work in engagement is {{ $value | humanizeDuration }} late',
    description: 'Time-based changes are late: users leave segments and get awards too late.',
  },
  {
    name: 'DefinitionsLeftOut',
    severity: 'page',
    expr: 'max(engagement_definitions_left_out) > 0',
    for: '1m',
    summary:
      'The engine does not evaluate {{ $value | humanize }} published definitions, because it cannot compile them',
    description:
      'These segments and tasks, with all that depend on them, bring no awards and no changes of members. All others are evaluated.',
  },
  {
    name: 'TaskPausedByEngine',
    severity: 'ticket',
    expr: 'max(engagement_tasks_paused_by_engine) > 0',
    for: '0m',
    summary: 'The engine has paused {{ $value | humanize }} tasks, because they award more than they may',
    description:
      'A task awarded more on one day than its max_per_day or a multiple of its forecast. What users reach now is held, and paid when an operator resumes the task; one that has ended cannot be resumed, and what it holds is never paid.',
  },
  {
    name: 'AmountsWithoutRate',
    severity: 'ticket',
    expr: 'sum(increase(engagement_events_without_rate_total[1h])) > 0',
    for: '10m',
    summary: '{{ $value | humanize }} events have an amount that no approved rate converts',
    description:
      'A definition with convert_to leaves these amounts out: no rate of an earlier day is approved for their currency. Users get less than they should until one is.',
  },
  {
    name: 'ErasureLate',
    severity: 'ticket',
    expr: 'max(linkage_erasure_oldest_seconds) > 3600',
    for: '5m',
    summary: 'The erasure of a user has been in progress for {{ $value | humanizeDuration }}',
    description: 'A service still holds data that a user asked to erase: a consumer group of erasures is paused.',
  },
  {
    name: 'AwardAnswersWrong',
    severity: 'ticket',
    expr: 'sum by (outcome) (increase(engagement_award_answers_total{outcome=~"contradicting|unknown"}[1h])) > 0',
    for: '0m',
    summary: 'The bonus engine sent {{ $labels.outcome }} award results',
    description:
      'It sent a result for an award that does not exist, or two contradicting results for one award. The ledger keeps the first result; check whether money was paid wrongly.',
  },
];
