import * as fs from 'node:fs';
import * as path from 'node:path';
import { checkoutFolder } from './folders';
import { PortName } from './ports';

/** Every app that can run, in the order of the start; the stop goes the other way round. */
export const apps = ['sandbox', 'linkage', 'competition-read', 'ingestion', 'engagement', 'gateway'] as const;

/** The name of an app: its folder below `apps/`. */
export type AppName = (typeof apps)[number];

/** The name of a process: its app, or a part of an app that runs on its own. */
export type ProcessName = AppName | 'competition-read-projector';

/** What distinguishes a process from the others. */
export interface ServiceRow {
  readonly name: ProcessName;
  readonly app: AppName;
  /** The built program, relative to the checkout. */
  readonly entry: string;
  readonly port: PortName;
  readonly healthPort: PortName;
  /** Flags of Node as in its deployment; those that only fit a container's memory are left out. */
  readonly nodeFlags: readonly string[];
  /** It has a schema and a role of its own in Postgres. */
  readonly usesPostgres: boolean;
}

/** Flags of the services that every event passes; `k8s/base` says why. */
export const eventPathFlags: readonly string[] = ['--max-semi-space-size=32'];

/** Flags of the reads of competition data, and of what applies changes beside them; `k8s/base` says why. */
export const readFlags: readonly string[] = ['--single-threaded-gc'];

/** The table of processes; an app that nest-cli.json does not list is left out. */
export const services: readonly ServiceRow[] = apps.filter(isInNestCli).flatMap((name) => {
  const row = rowOf(name);
  return name === 'competition-read' ? [row, projectorOf(row)] : [row];
});

function rowOf(name: AppName): ServiceRow {
  return {
    name,
    app: name,
    entry: `dist/apps/${name}/main.js`,
    port: name,
    healthPort: `${name} health`,
    nodeFlags: nodeFlagsOf(name),
    usesPostgres: name !== 'gateway' && name !== 'sandbox',
  };
}

function nodeFlagsOf(name: AppName): readonly string[] {
  if (name === 'gateway' || name === 'ingestion' || name === 'engagement') return eventPathFlags;
  return name === 'competition-read' ? readFlags : [];
}

/** The part of competition-read that applies changes, as a process of its own. */
function projectorOf(row: ServiceRow): ServiceRow {
  const name = 'competition-read-projector';
  return { ...row, name, port: name, healthPort: `${name} health` };
}

function isInNestCli(name: AppName): boolean {
  const cli = JSON.parse(fs.readFileSync(path.join(checkoutFolder, 'nest-cli.json'), 'utf8')) as {
    projects: Record<string, unknown>;
  };
  return name in cli.projects;
}
