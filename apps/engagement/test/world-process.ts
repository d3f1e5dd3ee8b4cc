import { AppliedTables } from './applied-tables';
import type { World } from './oracle';
import { type Arrival, continueWorld } from './world-run';

/** A world to apply, in the tables of the database that the process was started with. */
export interface WorldJob {
  readonly made: World;
  readonly arrival: Arrival;
  readonly nowS: number;
}

/** What the process tells: that it waits for jobs, that it begins a step, that it has done the job. */
export type WorldReport = 'ready' | 'done' | number;

const tables = AppliedTables.over(process.argv[2]);
const tell = (report: WorldReport): void => void process.send?.(report);

process.on('message', ({ made, arrival, nowS }: WorldJob) => {
  void continueWorld(tables, made, arrival, nowS, tell).then(() => tell('done'));
});
process.on('disconnect', () => process.exit());
tell('ready');
