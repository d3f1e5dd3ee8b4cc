import { Pool, Queryable } from '@podium/runtime/postgres';
import { LivePace } from '../pace/live-pace';
import { LiveDefinitions } from '../progress/live-definitions';

/** A check inside the transaction of a batch, which it fails by throwing. */
interface TransactionCheck {
  check(tx: Queryable): Promise<void>;
}

/** Up to when the view of links is complete. */
interface LinkProgress {
  /** Unix seconds: links that began or ended up to then are in the view. */
  passedS(): number;
}

/**
 * Dependencies of everything that changes derived state; `now` is Unix milliseconds. The fence refuses batches from before a
 * replay, the gate those that are ahead of erasures; without them neither is checked. Awards that time decides wait for the
 * progress of links; without it none waits. `pace` is the one that the background work of the instance follows.
 */
export class ApplyParts {
  constructor(
    readonly pool: Pool,
    readonly definitions: LiveDefinitions,
    readonly now: () => number = Date.now,
    readonly replayFence?: TransactionCheck,
    readonly erasureGate?: TransactionCheck,
    readonly linkProgress?: LinkProgress,
    readonly pace = new LivePace(),
  ) {}
}
