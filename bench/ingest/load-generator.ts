import { LoadFigures, runClosedLoop } from '../support/closed-loop';
import { OpenLoopFigures, runOpenLoop } from '../support/open-loop';
import { EventRequests, batchEvents } from './event-requests';
import { LoadPlatform } from './fixture';

/** Commands for the generator's process; times in ms. */
export type GeneratorCommand =
  | { readonly kind: 'platforms'; readonly platforms: readonly LoadPlatform[] }
  | {
      readonly kind: 'load';
      readonly host: string;
      readonly ports: readonly number[];
      readonly connections: number;
      /** Batches of `batchEvents` instead of single events. */
      readonly inBatches: boolean;
      readonly warmUpMs: number;
      readonly measureMs: number;
    }
  /** Single events at a fixed rate. */
  | {
      readonly kind: 'open load';
      readonly host: string;
      readonly ports: readonly number[];
      readonly connections: number;
      readonly requestsPerS: number;
      readonly warmUpMs: number;
      readonly measureMs: number;
    };

/** Reports of the generator's process. */
export type GeneratorReport =
  | { readonly kind: 'ready' }
  /** The warm-up is over; measuring begins now. */
  | { readonly kind: 'measuring' }
  | { readonly kind: 'measured'; readonly load: LoadFigures }
  | { readonly kind: 'open measured'; readonly load: OpenLoopFigures }
  /** An open loop broke, for instance because the server closed a connection. */
  | { readonly kind: 'open failed'; readonly problem: string };

let platforms: readonly LoadPlatform[] = [];

process.on('message', (command: GeneratorCommand) => {
  if (command.kind === 'platforms') platforms = command.platforms;
  else if (command.kind === 'load') void load(command);
  else void openLoad(command);
});
process.on('disconnect', () => process.exit(0));
tell({ kind: 'ready' });

async function load(command: Extract<GeneratorCommand, { kind: 'load' }>): Promise<void> {
  const requests = new EventRequests(platforms, `${command.host}:${command.ports[0]}`);
  const figures = await runClosedLoop({
    ...command,
    nextRequest: () => (command.inBatches ? requests.nextBatch() : requests.nextSingle()),
    onMeasuring: () => tell({ kind: 'measuring' }),
  });
  // Times and refusals are those of requests; a batch succeeds as a whole, with 200.
  const each = command.inBatches ? batchEvents : 1;
  tell({
    kind: 'measured',
    load: { ...figures, succeeded: figures.succeeded * each, perS: figures.perS * each },
  });
}

async function openLoad(command: Extract<GeneratorCommand, { kind: 'open load' }>): Promise<void> {
  const requests = new EventRequests(platforms, `${command.host}:${command.ports[0]}`);
  try {
    const load = await runOpenLoop({ ...command, nextRequest: () => requests.nextSingle() });
    tell({ kind: 'open measured', load });
  } catch (error) {
    tell({ kind: 'open failed', problem: (error as Error).message });
  }
}

function tell(report: GeneratorReport): void {
  process.send?.(report);
}
