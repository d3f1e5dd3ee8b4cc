import { Controller } from '@nestjs/common';
import { topics, userEventAccepted } from '@podium/messages';
import { batchError, placeOf } from '@podium/runtime/consumers';
import { BatchHandler, DataError, type Outcome, type RecordBatch, dead, done, skip } from '@podium/runtime/kafka';
import { AppliedBatch, EventBatch, applyBatch, passRecord } from './apply-batch';
import { ApplyParts } from './apply-parts';
import { unappliedOf } from '../inbox/unapplied-records';
import { EngagementMetrics } from '../metrics/engagement-metrics';

type UserEventBatch = RecordBatch<typeof userEventAccepted>;

/** Applies accepted events from their topic and returns an outcome for each. */
@Controller()
export class UserEventsConsumer {
  constructor(
    private readonly parts: ApplyParts,
    private readonly metrics: EngagementMetrics,
  ) {}

  @BatchHandler(topics.userEvents, 'engagement.user-events')
  async handle(batch: UserEventBatch): Promise<Outcome[]> {
    const events = eventBatchOf(batch);
    const stopTimer = this.metrics.batchSeconds.startTimer();
    try {
      const applied = await this.parts.pace.batch(() => applyBatch(this.parts, events));
      stopTimer();
      this.count(events, applied);
      return applied.isNew.map((isNew, index) =>
        applied.isErased[index] ? skip('erased') : isNew ? done : skip('duplicate'),
      );
    } catch (error) {
      return this.failed(batch, events, error);
    }
  }

  /** A single event that can never be applied becomes a dead letter at once; the consumer handles all other failures. */
  private async failed(batch: UserEventBatch, events: EventBatch, error: unknown): Promise<Outcome[]> {
    const failure = batchError(error);
    if (!(failure instanceof DataError) || batch.records.length !== 1) throw failure;
    await batch.deadLetter(batch.records[0], failure.message);
    await passRecord(this.parts, events).catch((again: unknown) => {
      throw batchError(again);
    });
    this.metrics.events.inc({ outcome: 'dead' });
    return [dead(failure.message)];
  }

  private count({ events }: EventBatch, applied: AppliedBatch): void {
    const fresh = applied.isNew.filter((isNew, index) => isNew && !applied.isErased[index]).length;
    const erased = applied.isErased.filter(Boolean).length;
    const nowMs = Date.now();
    // Repeats and events of erased users too: an objective compares the observations with all records of the topic.
    for (const { data } of events)
      this.metrics.acceptToApplySeconds.observe(Math.max(0, nowMs - data.received_at) / 1000);
    this.metrics.batchEvents.observe(applied.isNew.length);
    this.metrics.events.inc({ outcome: 'applied' }, fresh);
    this.metrics.events.inc({ outcome: 'erased' }, erased);
    this.metrics.events.inc({ outcome: 'duplicate' }, applied.isNew.length - fresh - erased);
    this.metrics.countSettlement(applied);
    this.metrics.histories.inc(applied.condensedEarly);
    this.metrics.withoutRate.inc(applied.withoutRate);
  }
}

function eventBatchOf(batch: UserEventBatch): EventBatch {
  return {
    ...placeOf(batch),
    // The topic is not compacted, so every record has a value.
    events: batch.records.flatMap(({ record, traceparent }) =>
      record ? [{ data: record.data, traceparent: traceparent ?? record.traceparent }] : [],
    ),
    unapplied: unappliedOf(batch),
  };
}
