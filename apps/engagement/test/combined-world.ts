import { ApplyParts } from '../src/applying/apply-parts';
import { settleDue } from '../src/due/settle-due';
import { sweepDefinitions } from '../src/due/sweep-definitions';
import type { TaskBody } from '../src/evaluation/definition';
import { LiveDefinitions } from '../src/progress/live-definitions';
import type { AppliedTables } from './applied-tables';
import type { CombinedParts } from './combined-parts';
import { type Happening, happenedTo } from './combined-happenings';
import { readNextDue } from './combined-rows';
import { wrongInStep } from './combined-rules';
import { CombinedRun } from './combined-run';
import {
  type CombinedStep,
  type PlacedStep,
  type StepOfAll,
  type UnissuedRow,
  beginS,
  places,
  users,
} from './combined-steps';

const dayS = 86_400;
const hourS = 3_600;

/** All events are kept singly so long, from the first one on. */
const lastS = beginS + 50 * dayS;

/** What a step of the other task is to a task: time has passed. */
const nothing: CombinedStep = { does: 'pass', seconds: 0 };

/** The tasks of two organizers in one database, with one clock. */
export class CombinedWorld implements CombinedParts {
  readonly runs: CombinedRun[] = [];
  /** What has happened at least once. */
  readonly seen = new Set<Happening>();
  private clockS = beginS;
  private areLinksKnown = false;
  /** When the step before was read. */
  private readS = beginS;
  private readNextS = beginS;
  /** What is not issued, of each run, after the last step. */
  private rows: readonly UnissuedRow[][] = [];

  private constructor(
    readonly tables: AppliedTables,
    /** So late the record of a link may arrive, seconds. */
    readonly linkLagS: number,
  ) {
    const { pool, given } = tables;
    tables.parts = new ApplyParts(pool, new LiveDefinitions(given), () => tables.clockMs, undefined, undefined, {
      passedS: () => this.linksPassedS,
    });
  }

  static async begin(tables: AppliedTables, bodies: readonly TaskBody[], linkLagS: number): Promise<CombinedWorld> {
    await tables.clear();
    const world = new CombinedWorld(tables, linkLagS);
    world.runs.push(...bodies.map((body, at) => new CombinedRun(world, places[at], body)));
    world.passTo(beginS);
    world.tell();
    const wrong: string[] = [];
    for (const at of world.runs.keys())
      for (const user of users.keys())
        wrong.push(
          ...(await world.take({ at, step: { does: 'link', user, account: user, agoS: 0, isBesideDue: false } })),
        );
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
    return world;
  }

  get nowS(): number {
    return this.clockS;
  }

  /** Links that begin or end later may not be known yet. */
  get linksPassedS(): number {
    return this.areLinksKnown ? Infinity : this.clockS - this.linkLagS - 1;
  }

  /** Makes the definitions known as they are now. */
  tell(): void {
    this.tables.given.set(...this.runs.map(({ definition }) => definition));
  }

  /** Takes a step, and returns what it has broken. */
  async take({ at, step }: PlacedStep): Promise<string[]> {
    const before = this.rows;
    this.passTo(this.clockS + 1);
    const run = this.runs[at];
    const { day } = run;
    if (isOfAll(step)) await this.takeOfAll(run, step);
    else await run.take(step);
    if (!isStored(step)) return [];
    await this.read();
    return this.runs.flatMap((each, index) => {
      const rows = { before: before[index] ?? [], after: this.rows[index], isOverMidnight: run.day !== day };
      for (const happening of happenedTo(each, this.readS, rows)) this.seen.add(happening);
      return wrongInStep(each, each === run || isOfAll(step) ? step : nothing, rows);
    });
  }

  private async takeOfAll(run: CombinedRun, step: StepOfAll): Promise<void> {
    switch (step.does) {
      case 'pass':
        return this.goTo(this.clockS + step.seconds);
      case 'midnight':
        return this.goTo((Math.floor(this.clockS / dayS) + 1) * dayS + step.lateS);
      case 'due':
        return this.goTo((await readNextDue(this.tables.pool, this.clockS)) ?? this.clockS);
      case 'close':
        return this.goTo(run.closesAt === Infinity ? 0 : run.closesAt - step.earlyS);
      case 'settle':
        return this.settle();
      case 'round':
        await this.round(step.most);
    }
  }

  /** Forward, unless it is too far. */
  private goTo(atS: number): void {
    this.passTo(Math.max(this.clockS, Math.min(lastS, atS)));
  }

  /** Lets all happen that is left, and returns what is wrong then. */
  async end(): Promise<string[]> {
    const wrong: string[] = [];
    for (const at of this.runs.keys()) wrong.push(...(await this.take({ at, step: { does: 'resume' } })));
    this.areLinksKnown = true;
    this.passTo(this.clockS + 2 * hourS);
    wrong.push(...(await this.take({ at: 0, step: { does: 'settle' } })));
    return wrong;
  }

  /** One round of a backfill and of due times. */
  async round(most: number): Promise<number> {
    return (await sweepDefinitions(this.tables.parts, most)) + (await settleDue(this.tables.parts, most)).settled;
  }

  /** Until nothing is due: what has become due only now waits until links are known up to then. */
  private async settle(): Promise<void> {
    await this.settleNow();
    for (let wait = 0, settled = 1; settled > 0; wait++) {
      if (wait > 50) throw new Error('something is due again and again');
      if (!this.areLinksKnown) this.passTo(this.clockS + this.linkLagS + 1);
      settled = await this.settleNow();
    }
  }

  private async settleNow(): Promise<number> {
    let settled = 0;
    for (let round = 0, each = 1; each > 0; round++) {
      if (round > 400) throw new Error('due times do not end');
      each = await this.round(100);
      settled += each;
    }
    return settled;
  }

  private async read(): Promise<void> {
    this.readS = this.readNextS;
    this.readNextS = this.clockS;
    await Promise.all(this.runs.map((run) => run.readPublished()));
    this.rows = await Promise.all(this.runs.map((run) => run.unissuedRows()));
  }

  private passTo(atS: number): void {
    this.clockS = atS;
    this.tables.clockMs = atS * 1000;
  }
}

/** Whether a step changes what is stored; the others take effect with the next one that does. */
function isStored({ does }: CombinedStep): boolean {
  return !['pass', 'midnight', 'due', 'close', 'pause', 'resume', 'end', 'edit', 'rate'].includes(does);
}

function isOfAll(step: CombinedStep): step is StepOfAll {
  return ['pass', 'midnight', 'due', 'close', 'settle', 'round'].includes(step.does);
}
