import { Controller } from '@nestjs/common';
import { topics } from '@podium/messages';
import { BatchHandler, type Outcome } from '@podium/runtime/kafka';
import { Pool } from '@podium/runtime/postgres';
import { type ChangeOutcome } from './apply-changes';
import { type ChangesBatch, PlacedChanges, handleChanges } from './handle-changes';
import { applyToLiveSet } from './live-projector';
import { ProjectionMetrics } from './projection-metrics';

/** What the consumer of changes works with. */
export class ProjectionParts {
  constructor(
    readonly pool: Pool,
    readonly metrics: ProjectionMetrics,
  ) {}
}

/** Takes changes of competition data from their topic into the live set of tables and answers for each what became of it. */
@Controller()
export class ChangesConsumer {
  constructor(private readonly parts: ProjectionParts) {}

  @BatchHandler(topics.competitionChanges, 'competition-read.projection')
  async handle(batch: ChangesBatch): Promise<Outcome[]> {
    const { metrics } = this.parts;
    const outcomes = await handleChanges(batch, (changes) => this.apply(changes));
    for (const outcome of outcomes) if (outcome.kind === 'dead') metrics.changes.inc({ outcome: 'dead' });
    return outcomes;
  }

  private async apply(batch: PlacedChanges): Promise<ChangeOutcome[]> {
    const { pool, metrics } = this.parts;
    const stopTimer = metrics.batchSeconds.startTimer();
    const outcomes = await applyToLiveSet(pool, batch);
    stopTimer();
    metrics.batchChanges.observe(outcomes.length);
    for (const outcome of outcomes) metrics.changes.inc({ outcome });
    return outcomes;
  }
}
