/** Parts of engagement, for specs of other rooms that apply events, and replay them, without its process. */
export { ApplyParts, applyBatch } from '../src/apply-batch';
export { backgroundWork } from '../src/background-work';
export { Definition } from '../src/definitions/definition.entity';
export { DefinitionsStore } from '../src/definitions/definitions.store';
export { EngagementMetrics } from '../src/engagement-metrics';
export type { PublishedDefinition } from '../src/evaluation/compiled-definition';
export type { SegmentBody, TaskBody } from '../src/evaluation/condition';
export { PositionsStore } from '../src/inbox/positions.store';
export { LiveDefinitions } from '../src/progress/live-definitions';
export { RepeatedWork } from '../src/repeated-work';
