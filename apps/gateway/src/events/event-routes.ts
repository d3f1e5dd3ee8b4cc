import { SharedByteBudget } from '../http/shared-byte-budget';
import { batchBodyLimits, eventBodyLimits } from '../routes/body-limits';
import { BatchCarrier, EventBatches } from './event-batches';
import { EventEdgeParts, EventEntrance } from './event-entrance';
import { SendEvent } from './send-event';
import { SendEventBatch } from './send-event-batch';
import { ValidateEvent } from './validate-event';

/** The handlers of the routes of partner events, by the target of their row in the route table. */
export type EventRoutes = Readonly<Record<'send-event' | 'send-event-batch' | 'validate-event', EventEntrance>>;

/** Makes the handlers; `validations` carries events that are only checked. */
export function eventRoutes(
  parts: EventEdgeParts,
  { batches, validations }: { readonly batches: EventBatches; readonly validations: BatchCarrier },
): EventRoutes {
  const batch = new SendEventBatch({ ...parts, batches });
  const bodies = new SharedByteBudget(eventBodyLimits);
  return {
    'send-event': new EventEntrance(parts, new SendEvent({ ...parts, batches }), bodies),
    'send-event-batch': new EventEntrance(parts, batch, new SharedByteBudget(batchBodyLimits)),
    'validate-event': new EventEntrance(parts, new ValidateEvent({ ...parts, carrier: validations }), bodies),
  };
}
