import { Controller } from '@nestjs/common';
import { bonusAwardAnswered, topics } from '@podium/messages';
import {
  BatchHandler,
  DataError,
  type Outcome,
  type RecordBatch,
  dead,
  done,
  retryDependency,
  skip,
} from '@podium/runtime/kafka';
import { inTransaction, isDataError } from '@podium/runtime/postgres';
import { ApplyParts } from '../apply-batch';
import { EngagementMetrics } from '../engagement-metrics';
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
        const ledgers = await lockLedgers(tx, [...new Set(answers.map((answer) => answer.award_id))]);
        const decided = answerAwards(answers, ledgers);
        const entries = decided.flatMap((outcome) => (outcome.kind === 'applied' ? [outcome.entry] : []));
        await addLedgerEntries(tx, entries, this.parts.now());
        return decided;
      });
      for (const { kind } of outcomes) this.metrics.answers.inc({ outcome: kind });
      return outcomes.map(outcomeOf);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (isDataError(error)) throw new DataError(reason, { cause: error });
      return batch.records.map(() => retryDependency(reason));
    }
  }
}

function outcomeOf({ kind }: AnswerOutcome): Outcome {
  if (kind === 'applied') return done;
  if (kind === 'unknown') return dead('no such award, or no such entry to answer in its ledger');
  return skip(kind);
}
