import { ApplyParts } from '../src/applying/apply-parts';
import { settleDue } from '../src/due/settle-due';
import { sweepDefinitions } from '../src/due/sweep-definitions';
import type { TaskBody } from '../src/evaluation/definition';
import { LiveDefinitions } from '../src/progress/live-definitions';
import type { AppliedTables } from './applied-tables';
import { wrongAtEnd, wrongInStep } from './combined-rules';
import { CombinedRun } from './combined-run';
import { type CombinedStep, type UnissuedRow, beginS, places, users } from './combined-steps';

const hourS = 3_600;

/** All events are kept singly so long, from the first one on. */
const lastS = beginS + 50 * 86_400;

/** A step of the task of one of `places`. */
export interface PlacedStep {
  readonly at: number;
  readonly step: CombinedStep;
}

/** The tasks of two organizers in one database, with one clock. */
export class CombinedWorld {
  readonly runs: CombinedRun[] = [];
  private clockS = beginS;
  private linksPassedS = 0;
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
    for (const at of world.runs.keys())
      for (const user of users.keys())
        await world.take({ at, step: { does: 'link', user, account: user, agoS: 0, isBesideDue: false } });
    return world;
  }

  get nowS(): number {
    return this.clockS;
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
    if (step.does === 'pass') this.passTo(Math.min(lastS, this.clockS + step.seconds));
    else if (step.does === 'close') this.passTo(Math.max(this.clockS, Math.min(lastS, run.closesAt - step.earlyS)));
    else if (step.does === 'settle') await this.settle();
    else if (step.does === 'round') await this.round(step.most);
    else await run.take(step);
    await this.read();
    return this.runs.flatMap((each, index) => wrongInStep(each, step, before[index] ?? [], this.rows[index]));
  }

  /** Lets all happen that is left, and returns what is wrong then, with what is not issued. */
  async end(): Promise<{ readonly wrong: readonly string[]; readonly rows: readonly UnissuedRow[] }> {
    const wrong: string[] = [];
    for (const at of this.runs.keys()) wrong.push(...(await this.take({ at, step: { does: 'resume' } })));
    this.passTo(this.clockS + 2 * hourS);
    this.linksPassedS = Infinity;
    await this.settle();
    await this.read();
    wrong.push(...this.runs.flatMap((run, at) => wrongAtEnd(run, this.rows[at])));
    return { wrong, rows: this.rows.flat() };
  }

  /** One round of a backfill and of due times. */
  async round(most: number): Promise<number> {
    return (await sweepDefinitions(this.tables.parts, most)) + (await settleDue(this.tables.parts, most)).settled;
  }

  private async settle(): Promise<void> {
    for (let round = 0; (await this.round(100)) > 0; round++) if (round > 400) throw new Error('due times do not end');
  }

  private async read(): Promise<void> {
    await Promise.all(this.runs.map((run) => run.readPublished()));
    this.rows = await Promise.all(this.runs.map((run) => run.unissuedRows()));
  }

  private passTo(atS: number): void {
    this.clockS = atS;
    this.tables.clockMs = atS * 1000;
    this.linksPassedS = atS - this.linkLagS - 1;
  }
}
