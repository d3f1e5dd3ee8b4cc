import { Counter, Gauge, Histogram, Registry } from '@podium/runtime/metrics';

/** The changes that were committed, as far as metrics count them. */
export interface CommittedChanges {
  readonly awards: readonly { readonly cause?: { readonly receivedAtMs: number } }[];
  readonly reversals: readonly unknown[];
  readonly changes: readonly { readonly reason: string }[];
}

/** Metrics of engagement; the generated reference describes each. */
export class EngagementMetrics {
  /** Outcomes: applied, duplicate, erased, dead. */
  readonly events: Counter<'outcome'>;
  readonly batchEvents: Histogram;
  readonly batchSeconds: Histogram;
  /** From the receipt at the gateway to the committed effect, awards included, two clocks; of every record that is not dead. */
  readonly acceptToApplySeconds: Histogram;
  readonly awards: Counter;
  readonly reversals: Counter;
  /** Histories with too many events of the lateness horizon, of which the older ones are kept by bucket alone. */
  readonly histories: Counter;
  /** Events with an amount that could not be converted when they were applied. */
  readonly withoutRate: Counter;
  readonly membershipChanges: Counter<'reason'>;
  /** From the receipt at the gateway to the committed award, two clocks. */
  readonly acceptToAwardSeconds: Histogram;
  readonly dueLagSeconds: Gauge;
  /** From 0 to 1. */
  readonly backgroundRatio: Gauge;
  readonly expiredEvents: Counter;
  readonly inboxRows: Gauge;
  readonly pausedTasks: Gauge;
  readonly leftOutDefinitions: Gauge;
  readonly answers: Counter<'outcome'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.events = new Counter({
      name: 'engagement_events_total',
      help: 'User events by what became of them',
      labelNames: ['outcome'],
      registers,
    });
    this.batchEvents = new Histogram({
      name: 'engagement_batch_events',
      help: 'Events per applied batch',
      buckets: [1, 5, 10, 25, 50, 100, 250, 500],
      registers,
    });
    this.batchSeconds = new Histogram({
      name: 'engagement_batch_seconds',
      help: 'Time of the one transaction of a batch',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers,
    });
    this.acceptToApplySeconds = new Histogram({
      name: 'engagement_accept_to_apply_seconds',
      help: 'From the receipt of an event at the gateway to its committed effect, awards included; a repeat and an event of an erased user are passed without one',
      buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
      registers,
    });
    this.awards = new Counter({ name: 'engagement_awards_total', help: 'Awards issued', registers });
    this.reversals = new Counter({ name: 'engagement_reversals_total', help: 'Awards taken back', registers });
    this.histories = new Counter({
      name: 'engagement_histories_condensed_early_total',
      help: 'Histories of users with more than 2,000 events of a name, or 1,000 late ones, within the lateness horizon, merged before its end',
      registers,
    });
    this.withoutRate = new Counter({
      name: 'engagement_events_without_rate_total',
      help: 'Events with an amount that a definition converts, applied before a rate of an earlier day was approved',
      registers,
    });
    this.membershipChanges = new Counter({
      name: 'engagement_membership_changes_total',
      help: 'Users that entered or left a segment, by cause',
      labelNames: ['reason'],
      registers,
    });
    this.acceptToAwardSeconds = new Histogram({
      name: 'engagement_accept_to_award_seconds',
      help: 'From the receipt of the event at the gateway to the committed award',
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300],
      registers,
    });
    this.dueLagSeconds = new Gauge({
      name: 'engagement_due_lag_seconds',
      help: 'How long the oldest due time has been waiting',
      registers,
    });
    this.backgroundRatio = new Gauge({
      name: 'engagement_background_work_ratio',
      help: 'The part of the time that the instance gives to due users, sweeps and trials, so that events do not wait for them',
      registers,
    });
    this.expiredEvents = new Counter({
      name: 'engagement_expired_events_total',
      help: 'Stored events deleted at the end of their retention',
      registers,
    });
    this.inboxRows = new Gauge({
      name: 'engagement_inbox_rows',
      help: 'About how many events the inbox holds',
      registers,
    });
    this.pausedTasks = new Gauge({
      name: 'engagement_tasks_paused_by_engine',
      help: 'Tasks that the engine has paused because of their rate, and of which no operator has decided',
      registers,
    });
    this.leftOutDefinitions = new Gauge({
      name: 'engagement_definitions_left_out',
      help: 'Published definitions that cannot be compiled, so that the engine does not evaluate them',
      registers,
    });
    this.answers = new Counter({
      name: 'engagement_award_answers_total',
      help: 'Answers of the bonus engine: applied, repeated, contradicting, unknown',
      labelNames: ['outcome'],
      registers,
    });
    // Alert rules do not see the first increment of a series that starts with it.
    for (const outcome of ['applied', 'repeated', 'contradicting', 'unknown']) this.answers.inc({ outcome }, 0);
    for (const outcome of ['applied', 'duplicate', 'erased', 'dead']) this.events.inc({ outcome }, 0);
  }

  /** Counts awards and changed memberships after their commit. */
  countSettlement({ awards, reversals, changes }: CommittedChanges): void {
    this.awards.inc(awards.length);
    this.reversals.inc(reversals.length);
    for (const { reason } of changes) this.membershipChanges.inc({ reason });
    const nowMs = Date.now();
    for (const { cause } of awards)
      if (cause) this.acceptToAwardSeconds.observe(Math.max(0, nowMs - cause.receivedAtMs) / 1000);
  }
}
