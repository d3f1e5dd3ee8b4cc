import { AlertScenario } from './alert-scenario';

const lag = (group: string, topic: string, partition = 0): string =>
  `kafka_consumer_lag_seconds{service="s",pod="a",group="${group}",topic="${topic}",partition="${partition}"}`;
const events = ['engagement.user-events', 'ingestion.user-events.v1'] as const;
const changes = ['competition-read.projection', 'competition.changes.v1'] as const;
const ofEvents = { group: events[0], topic: events[1] };
const produced = (outcome: string): string =>
  `kafka_producer_records_total{service="ingestion",topic="ingestion.user-events.v1",outcome="${outcome}"}`;
const stop = (pod: string, partition: number): string =>
  `kafka_consumer_undecodable_first_offset{service="engagement",pod="${pod}",group="${events[0]}",topic="${events[1]}",partition="${partition}"}`;
const leaderless = (service: string, topic: string): string =>
  `kafka_partitions_without_leader{service="${service}",pod="a",topic="${topic}"}`;
const deadLetters = `kafka_consumer_dead_letters_total{group="${events[0]}",topic="${events[1]}"}`;

/** Scenarios for the alerts about topics, groups and outboxes. */
export const pipelineScenarios: readonly AlertScenario[] = [
  {
    alert: 'OutboxStuck',
    when: 'a record is not published',
    series: {
      'outbox_oldest_age_seconds{service="engagement",pod="a"}': '0 0+30x20',
      'outbox_oldest_age_seconds{service="linkage",pod="b"}': '0x20',
    },
    at: '6m',
    fires: [{ service: 'engagement' }],
  },
  {
    alert: 'OutboxStuck',
    when: 'Kafka is unavailable for a minute',
    series: { 'outbox_oldest_age_seconds{service="engagement",pod="a"}': '0 30 60 90 0x20' },
    at: '3m',
    fires: [],
  },
  {
    alert: 'OutboxClosed',
    when: 'linkage waits for its repair',
    series: {
      'outbox_closed_seconds{service="linkage",pod="a"}': '0 0+30x20',
      'outbox_closed_seconds{service="linkage",pod="b"}': '0x20',
      'outbox_closed_seconds{service="engagement",pod="c"}': '0x20',
    },
    at: '6m',
    fires: [{ service: 'linkage' }],
  },
  {
    alert: 'OutboxClosed',
    when: 'a failover that has lost nothing',
    series: { 'outbox_closed_seconds{service="linkage",pod="a"}': '0 10 40 0x20' },
    at: '3m',
    fires: [],
  },
  {
    alert: 'ConsumerLagHigh',
    when: 'one partition waits long and no longer falls behind',
    series: { [lag(...events)]: '0x60', [lag(...events, 3)]: '200x60' },
    at: '20m',
    fires: [ofEvents],
  },
  { alert: 'ConsumerLagHigh', when: 'a minute of lag', series: { [lag(...events)]: '60x40' }, at: '20m', fires: [] },
  {
    alert: 'ConsumerLagGrows',
    when: 'a group falls behind by 12 s each minute',
    series: { [lag(...events)]: '0+6x40' },
    at: '9m',
    fires: [ofEvents],
  },
  {
    alert: 'ConsumerLagGrows',
    when: 'a backlog that shrinks',
    series: { [lag(...events)]: '110-2x40' },
    at: '15m',
    fires: [],
  },
  {
    alert: 'BatchUndecodable',
    when: 'one partition is paused, first at one member and then at another',
    series: { [stop('a', 3)]: '-1x4 17x6 stale', [stop('b', 3)]: '_x11 17x30', [stop('b', 4)]: '-1x41' },
    at: '8m',
    fires: [{ ...ofEvents, partition: '3' }],
  },
  {
    alert: 'BatchUndecodable',
    when: 'another member can decode it, and in another partition it was passed',
    series: { [stop('a', 0)]: '0x1 stale', [stop('b', 0)]: '_ _ -1x40', [stop('a', 3)]: '17x4 -1x40' },
    at: '5m',
    fires: [],
  },
  {
    alert: 'PartitionWithoutLeader',
    when: 'one partition of a topic is unavailable, as two services see it',
    series: { [leaderless('engagement', events[1])]: '0x10 1x40', [leaderless('ingestion', events[1])]: '0x10 1x40' },
    at: '15m',
    fires: [{ topic: events[1] }],
  },
  {
    alert: 'PartitionWithoutLeader',
    when: 'leaders move for a minute',
    series: { [leaderless('engagement', events[1])]: '0x10 1x1 0x40' },
    at: '11m',
    fires: [],
  },
  {
    alert: 'DeadLetters',
    when: 'the first record ever dies',
    series: { [deadLetters]: '0x20 1x40' },
    at: '15m',
    fires: [ofEvents],
  },
  {
    alert: 'DeadLetters',
    when: 'older dead letters, and a restart',
    series: { [deadLetters]: '4x130 0x40' },
    at: '70m',
    fires: [],
  },
  {
    alert: 'ProducerFails',
    when: 'Kafka does not acknowledge',
    series: { [produced('acknowledged')]: '0+100x40', [produced('unknown')]: '0+20x40' },
    at: '10m',
    fires: [{ service: 'ingestion', topic: events[1] }],
  },
  {
    alert: 'ProducerFails',
    when: 'a leader moves',
    series: { [produced('acknowledged')]: '0+100x40', [produced('unknown')]: '0x10 8x30' },
    at: '10m',
    fires: [],
  },
  {
    alert: 'ProjectorStuck',
    when: 'changes wait',
    series: { [lag(...changes)]: '400x60' },
    at: '20m',
    fires: [{}],
  },
  { alert: 'ProjectorStuck', when: 'a big import', series: { [lag(...changes)]: '200x60' }, at: '20m', fires: [] },
  {
    alert: 'RebuildDue',
    when: 'no rebuild follows a release',
    series: { 'competition_read_rebuild_due{pod="a"}': '1x200', 'competition_read_rebuild_due{pod="b"}': '0x200' },
    at: '70m',
    fires: [{}],
  },
  {
    alert: 'RebuildDue',
    when: 'the rebuild ends within the hour',
    series: { 'competition_read_rebuild_due{pod="a"}': '1x80 0x100' },
    at: '65m',
    fires: [],
  },
  {
    alert: 'DueTimesLate',
    when: 'due times are not processed',
    series: { 'engagement_due_lag_seconds{pod="a"}': '0+30x60' },
    at: '20m',
    fires: [{}],
  },
  {
    alert: 'DueTimesLate',
    when: 'due times are processed',
    series: { 'engagement_due_lag_seconds{pod="a"}': '30x60' },
    at: '20m',
    fires: [],
  },
  {
    alert: 'DefinitionsLeftOut',
    when: 'one instance cannot compile a definition',
    series: {
      'engagement_definitions_left_out{pod="a"}': '0x10 1x30',
      'engagement_definitions_left_out{pod="b"}': '0x40',
    },
    at: '15m',
    fires: [{}],
  },
  {
    alert: 'DefinitionsLeftOut',
    when: 'it has ended',
    series: { 'engagement_definitions_left_out{pod="a"}': '1x10 0x30' },
    at: '15m',
    fires: [],
  },
  {
    alert: 'TaskPausedByEngine',
    when: 'the engine has paused a task',
    series: { 'engagement_tasks_paused_by_engine{pod="a"}': '0x10 1x30' },
    at: '15m',
    fires: [{}],
  },
  {
    alert: 'TaskPausedByEngine',
    when: 'an operator has resumed it',
    series: { 'engagement_tasks_paused_by_engine{pod="a"}': '1x10 0x30' },
    at: '15m',
    fires: [],
  },
  {
    alert: 'AmountsWithoutRate',
    when: 'a contract has a currency without any rate',
    series: {
      'engagement_events_without_rate_total{pod="a"}': '0x10 0+1x50',
      'engagement_events_without_rate_total{pod="b"}': '0x60',
    },
    at: '30m',
    fires: [{}],
  },
  {
    alert: 'AmountsWithoutRate',
    when: 'a rate was approved more than an hour ago',
    series: { 'engagement_events_without_rate_total{pod="a"}': '0+1x10 10x110' },
    at: '85m',
    fires: [],
  },
  {
    alert: 'ErasureLate',
    when: 'a consumer group of erasures is paused',
    series: {
      'linkage_erasure_oldest_seconds{pod="a"}': '0+30x160',
      'linkage_erasure_oldest_seconds{pod="b"}': '0x160',
    },
    at: '70m',
    fires: [{}],
  },
  {
    alert: 'ErasureLate',
    when: 'an erasure takes some minutes',
    series: { 'linkage_erasure_oldest_seconds{pod="a"}': '0+30x20 0x140' },
    at: '70m',
    fires: [],
  },
  {
    alert: 'AwardAnswersWrong',
    when: 'an award has two contradicting results',
    series: { 'engagement_award_answers_total{outcome="contradicting"}': '0x10 1x40' },
    at: '10m',
    fires: [{ outcome: 'contradicting' }],
  },
  {
    alert: 'AwardAnswersWrong',
    when: 'results are applied and repeated',
    series: {
      'engagement_award_answers_total{outcome="applied"}': '0+9x40',
      'engagement_award_answers_total{outcome="repeated"}': '0+1x40',
      'engagement_award_answers_total{outcome="contradicting"}': '0x40',
    },
    at: '10m',
    fires: [],
  },
];
