import { LoadFigures, runClosedLoop } from '../support/closed-loop';
import { EventRequests } from './event-requests';
import { LoadPlatform } from './fixture';

/** Commands for the generator's process; times in ms. */
export type GeneratorCommand =
  | { readonly kind: 'platforms'; readonly platforms: readonly LoadPlatform[] }
  | {
      readonly kind: 'load';
      readonly host: string;
      readonly port: number;
      readonly connections: number;
      readonly warmUpMs: number;
      readonly measureMs: number;
    };

/** Reports of the generator's process. */
export type GeneratorReport =
  | { readonly kind: 'ready' }
  /** The warm-up is over; measuring begins now. */
  | { readonly kind: 'measuring' }
  | { readonly kind: 'measured'; readonly load: LoadFigures };

let platforms: readonly LoadPlatform[] = [];

process.on('message', (command: GeneratorCommand) => {
  if (command.kind === 'platforms') platforms = command.platforms;
  else void load(command);
});
process.on('disconnect', () => process.exit(0));
tell({ kind: 'ready' });

async function load(command: Extract<GeneratorCommand, { kind: 'load' }>): Promise<void> {
  const requests = new EventRequests(platforms, `${command.host}:${command.port}`);
  const figures = await runClosedLoop({
    ...command,
    nextRequest: () => requests.next(),
    onMeasuring: () => tell({ kind: 'measuring' }),
  });
  tell({ kind: 'measured', load: figures });
}

function tell(report: GeneratorReport): void {
  process.send?.(report);
}
