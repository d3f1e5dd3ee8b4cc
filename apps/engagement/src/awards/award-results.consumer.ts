import { Controller } from '@nestjs/common';
import { bonusAwardAnswered, topics } from '@podium/messages';
import { batchError, placeOf } from '@podium/runtime/consumers';
import { BatchHandler, type Outcome, type RecordBatch, dead, done, skip } from '@podium/runtime/kafka';
import { EngagementMetrics } from '../metrics/engagement-metrics';
import { ResultOutcome } from './award-results';
import { EnterAwardResults } from './enter-award-results';

const unknown = 'no such award, or its ledger has no such entry to answer';

/** Enters the results of the bonus engine (confirmed or rejected) into the ledgers of their awards, each once. */
@Controller()
export class AwardResultsConsumer {
  constructor(
    private readonly enterResults: EnterAwardResults,
    private readonly metrics: EngagementMetrics,
  ) {}

  @BatchHandler(topics.awardResults, 'engagement.award-results')
  async handle(batch: RecordBatch<typeof bonusAwardAnswered>): Promise<Outcome[]> {
    // The topic is not compacted, so every record has a value.
    const results = batch.records.flatMap(({ record }) => (record ? [record.data] : []));
    try {
      const outcomes = await this.enterResults.apply({ ...placeOf(batch), results }, (decided) =>
        Promise.all(
          decided.map(({ kind }, index) =>
            kind === 'unknown' ? batch.deadLetter(batch.records[index], unknown) : undefined,
          ),
        ),
      );
      for (const { kind } of outcomes) this.metrics.answers.inc({ outcome: kind });
      return outcomes.map(outcomeOf);
    } catch (error) {
      throw batchError(error);
    }
  }
}

function outcomeOf({ kind }: ResultOutcome): Outcome {
  if (kind === 'applied') return done;
  if (kind === 'unknown') return dead(unknown);
  return skip(kind);
}
