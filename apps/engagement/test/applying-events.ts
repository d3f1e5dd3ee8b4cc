import { TablePositions } from '@podium/runtime/consumers';
import { Queryable } from '@podium/runtime/postgres';
import { positionsTable } from '../src/inbox/positions-table';

/** Parts of engagement, for specs of other apps that apply and replay events without its process. */
export { applyBatch } from '../src/applying/apply-batch';
export { ApplyParts } from '../src/applying/apply-parts';
export { backgroundWork } from '../src/background/background-work';
export { Definition } from '../src/definitions/definition.entity';
export { DefinitionsStore } from '../src/definitions/definitions.store';
export type { EngineDefinition, SegmentBody, TaskBody } from '../src/evaluation/definition';
export { horizonS } from '../src/evaluation/definition';
export { deposits, sourceOf, taskOf } from './given-definitions';
export { EngagementMetrics } from '../src/metrics/engagement-metrics';
export { LiveDefinitions } from '../src/progress/live-definitions';

/** Engagement's positions. */
export class PositionsStore extends TablePositions {
  constructor(db: Queryable) {
    super(db, positionsTable);
  }
}
