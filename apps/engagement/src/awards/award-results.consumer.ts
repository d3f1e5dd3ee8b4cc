import { Controller } from '@nestjs/common';
import { bonusAwardAnswered, topics } from '@podium/messages';
import { batchError, placeOf } from '@podium/runtime/consumers';
import { BatchHandler, type Outcome, type RecordBatch, dead, done, skip } from '@podium/runtime/kafka';
import { OutboxTimelineStore } from '@podium/runtime/outbox';
import { inTransaction } from '@podium/runtime/postgres';
import { ApplyParts } from '../apply-batch';
import { EngagementMetrics } from '../engagement-metrics';
import { movePosition } from '../inbox/positions.store';
import { AnswerOutcome, answerAwards } from './answer-awards';
import { addLedgerEntries, lockLedgers } from './ledger.store';

/** Enters what the bonus engine made of awards into their ledgers, each answer once. */
@Controller()
export class AwardResultsConsumer {
  constructor(
    private readonly parts: ApplyParts,
    private readonly metrics: EngagementMetrics,
  ) {}

  @BatchHandler(topics.awardResults, 'engagement.award-results')
  async handle(batch: RecordBatch<typeof bonusAwardAnswered>): Promise<Outcome[]> {
    // The topic is not compacted, so every record has a value.
    const answers = batch.records.flatMap(({ record }) => (record ? [record.data] : []));
    try {
      const outcomes = await inTransaction(this.parts.pool, async (tx) => {
        // An award that Postgres has lost in a failover would be taken for one that never was.
        await timeline.require(tx);
        await movePosition(tx, placeOf(batch));
        const ledgers = await lockLedgers(tx, [...new Set(answers.map((answer) => answer.award_id))]);
        const decided = answerAwards(answers, ledgers);
        const entries = decided.flatMap((outcome) => (outcome.kind === 'applied' ? [outcome.entry] : []));
        await addLedgerEntries(tx, entries, this.parts.now());
        // Before the position passes them.
        await Promise.all(
          decided.map(({ kind }, index) =>
            kind === 'unknown' ? batch.deadLetter(batch.records[index], unknown) : undefined,
          ),
        );
        return decided;
      });
      for (const { kind } of outcomes) this.metrics.answers.inc({ outcome: kind });
      return outcomes.map(outcomeOf);
    } catch (error) {
      throw batchError(error);
    }
  }
}

const timeline = new OutboxTimelineStore('engagement');
const unknown = 'no such award, or no such entry to answer in its ledger';

function outcomeOf({ kind }: AnswerOutcome): Outcome {
  if (kind === 'applied') return done;
  if (kind === 'unknown') return dead(unknown);
  return skip(kind);
}
