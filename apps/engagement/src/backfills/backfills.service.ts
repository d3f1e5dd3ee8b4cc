import { CodedError } from '@podium/messages';
import { Operator, requireRole } from '@podium/runtime/http';
import { Pool, Queryable, inTransaction, queryable } from '@podium/runtime/postgres';
import { appendAudit } from '../definitions/definition-audit.store';
import { noteAudited } from '../definitions/definition-records.store';
import { Definition, DefinitionKind } from '../definitions/definition.entity';
import { DefinitionsService } from '../definitions/definitions.service';
import { holdSlowWork } from '../definitions/epoch.store';
import { isLive } from '../definitions/is-live';
import { isForgotten } from '../definitions/published-definitions.store';
import { tellDefinitions } from '../definitions/tell-definitions';
import { LiveDefinitions } from '../progress/live-definitions';
import { pauseSweep, readSweep, readSweepPause, resumeSweep } from '../due/definition-sweeps.store';
import { BackfillReply } from './backfill.dto';
import { backfillReply } from './backfill-reply';

/**
 * Shows operators how far a published version, or the end of a definition, is brought to users who were there before it, pauses and
 * resumes that.
 */
export class BackfillsService {
  constructor(
    private readonly pool: Pool,
    private readonly definitions: DefinitionsService,
    private readonly live: LiveDefinitions,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /** Throws `not_found` for a definition that the operator may not see, `conflict` when none of its versions is evaluated. */
  async show(kind: DefinitionKind, operator: Operator, definitionId: string): Promise<BackfillReply> {
    const live = this.evaluatedVersion(await this.definitions.show(kind, operator, definitionId));
    return this.read(queryable(this.pool), live);
  }

  /** Role editor. No further user is evaluated for the version, except by an event or time; pausing twice changes nothing. */
  async pause(kind: DefinitionKind, operator: Operator, definitionId: string): Promise<BackfillReply> {
    return this.change(kind, operator, definitionId, async (tx, live) => {
      const sweep = await readSweep(tx, live, 1);
      if (sweep !== null && sweep.finishedAt !== null && sweep.usersWaiting === 0)
        throw new CodedError('conflict', {
          message: 'The version is evaluated for all users; nothing is left to pause.',
        });
      const isPaused = await pauseSweep(tx, live, operator.operatorId, this.now());
      return isPaused ? 'backfill_paused' : null;
    });
  }

  /** Role editor. It goes on where it was; resuming one that is not paused changes nothing. */
  async resume(kind: DefinitionKind, operator: Operator, definitionId: string): Promise<BackfillReply> {
    return this.change(kind, operator, definitionId, async (tx, live) =>
      (await resumeSweep(tx, live.definitionId, this.now())) ? 'backfill_resumed' : null,
    );
  }

  private async change(
    kind: DefinitionKind,
    operator: Operator,
    definitionId: string,
    work: (tx: Queryable, live: Definition) => Promise<string | null>,
  ): Promise<BackfillReply> {
    const versions = await this.definitions.show(kind, operator, definitionId);
    requireRole(operator, versions[0].organizerId, 'editor');
    const live = this.evaluatedVersion(versions);
    await inTransaction(this.pool, async (tx) => {
      // Rounds that have begun end first, and no version is published meanwhile. Events do not wait.
      await holdSlowWork(tx);
      const published = (await this.live.current(tx)).byId.get(definitionId)?.definition.versions;
      if (published === undefined)
        throw new CodedError('conflict', {
          message:
            `The engine cannot evaluate this ${kind} and leaves it out (alert DefinitionsLeftOut), so that no user is ` +
            'evaluated for it. The runbook of that alert says what to do; its backfill goes on by itself afterwards.',
        });
      if (published.at(-1)?.version !== live.version)
        throw new CodedError('conflict', {
          message: 'Another version was published meanwhile; show it and try again.',
        });
      const action = await work(tx, live);
      if (action === null) return;
      await appendAudit(tx, {
        operatorId: operator.operatorId,
        organizerId: live.organizerId,
        action: `${kind}.${action}`,
        definitionId,
        details: { version: live.version },
      });
      // A restore takes the pause from the audit trail of the record.
      await noteAudited(tx, [definitionId]);
      await tellDefinitions(tx, [definitionId]);
    });
    return this.read(queryable(this.pool), live);
  }

  private async read(db: Queryable, live: Definition): Promise<BackfillReply> {
    const [sweep, pause] = [await readSweep(db, live), await readSweepPause(db, live.definitionId)];
    return backfillReply(live, sweep, pause, this.now().getTime());
  }

  /** The published version, or the one that was published when the definition ended, for as long as the engine evaluates it. */
  private evaluatedVersion(versions: readonly Definition[]): Definition {
    const found = versions.find((version) => isLive(version) || version.state === 'ended');
    if (!found) throw new CodedError('conflict', { message: 'No version is published; publish one first.' });
    const { kind, endedAt } = found;
    if (isForgotten(endedAt, this.now()))
      throw new CodedError('conflict', {
        message: `This ${kind} has ended, and it is not evaluated any more: it has no backfill.`,
      });
    return found;
  }
}
