import { AlertScenario } from './alert-scenario';

const events = ['engagement.user-events', 'ingestion.user-events.v1'] as const;
const lag = `kafka_consumer_lag_seconds{service="engagement",pod="a",group="${events[0]}",topic="${events[1]}",partition="0"}`;
const replaced = (pod: string): string =>
  `kafka_consumer_replacements_total{service="engagement",pod="${pod}",group="${events[0]}"}`;
const joins = (pod: string): string =>
  `kafka_consumer_joins_total{service="engagement",pod="${pod}",group="${events[0]}"}`;
const joined = (pod: string): string =>
  `kafka_consumer_joined{service="engagement",pod="${pod}",group="engagement.award-results"}`;

/** Scenarios for the alerts about the members of consumer groups. */
export const groupScenarios: readonly AlertScenario[] = [
  {
    alert: 'GroupNotJoined',
    when: 'the coordinator of a group does not answer, and no series of lag exists',
    series: { [joined('a')]: '0x60', [joined('b')]: '_x10 0x50' },
    at: '20m',
    fires: [{ service: 'engagement', group: 'engagement.award-results' }],
  },
  {
    alert: 'GroupNotJoined',
    when: 'both instances lose the group hours after they joined it',
    series: { [joined('a')]: '1x20 0x60', [joined('b')]: '1x22 0x60' },
    at: '20m',
    fires: [{ service: 'engagement', group: 'engagement.award-results' }],
  },
  {
    alert: 'GroupNotJoined',
    when: 'both instances wait for the group, and their startup probes restart them at the same time',
    series: { [joined('a')]: '_x4 0x9 stale _ 0x9 stale _x20', [joined('b')]: '_x4 0x9 stale _ 0x9 stale _x20' },
    at: '11m30s',
    fires: [{ service: 'engagement', group: 'engagement.award-results' }],
  },
  {
    alert: 'GroupNotJoined',
    when: 'an instance starts slowly while another one reads',
    series: { [joined('a')]: '0x2 1x60', [joined('b')]: '_x5 0x40 1x20' },
    at: '15m',
    fires: [],
  },
  {
    alert: 'GroupUnstable',
    when: 'a member loses its place every minute, and lag is never seen for three minutes on end',
    series: {
      [joins('a')]: '1x9 1+1x60',
      [joins('b')]: '1x9 1+1x60',
      [lag]: `_x9 ${'300x2 stale '.repeat(10)}`,
    },
    at: '24m',
    fires: [{ service: 'engagement', group: events[0] }],
  },
  {
    alert: 'ConsumerLagHigh',
    when: 'a member that is behind loses its place every minute: GroupUnstable tells',
    series: { [lag]: `_x9 ${'300x2 stale '.repeat(10)}` },
    at: '20m',
    fires: [],
  },
  {
    alert: 'GroupUnstable',
    when: 'eight instances are rolled within eight minutes',
    series: { [joins('a')]: '1x9 1+1x16', [joins('b')]: '_x12 1+1x14 15x60' },
    at: '20m',
    fires: [],
  },
  {
    alert: 'GroupUnstable',
    when: 'a member loses its place every two minutes for two hours, and lag is never seen for three minutes on end',
    series: { [joins('a')]: '1+0.25x260', [joins('b')]: '1+0.25x260' },
    at: '2h5m',
    fires: [{ service: 'engagement', group: events[0] }],
  },
  {
    alert: 'GroupUnstable',
    when: 'eight instances are rolled twice within two hours',
    series: { [joins('a')]: '1x9 1+1x16 17x80 17+1x16 33x200' },
    at: '2h',
    fires: [],
  },
  {
    alert: 'ConsumersReplaced',
    when: 'the consumers of a group are replaced four times',
    series: { [replaced('a')]: '0x10 1x10 2x60', [replaced('b')]: '0x15 1x10 2x60' },
    at: '20m',
    fires: [{ service: 'engagement', group: events[0] }],
  },
  {
    alert: 'ConsumersReplaced',
    when: 'each of two is replaced once',
    series: { [replaced('a')]: '0x10 1x80', [replaced('b')]: '0x15 1x80' },
    at: '20m',
    fires: [],
  },
];
