import { LoadFigures, runClosedLoop } from '../support/closed-loop';

/** What the bench tells the generator's process; times in ms. */
export interface GeneratorCommand {
  readonly host: string;
  readonly port: number;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
  /** Sent in turn, over and over. */
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

/** What the generator's process tells the bench. */
export type GeneratorReport = { readonly kind: 'ready' } | { readonly kind: 'measured'; readonly load: LoadFigures };

process.on('message', (command: GeneratorCommand) => void load(command));
process.on('disconnect', () => process.exit(0));
tell({ kind: 'ready' });

async function load(command: GeneratorCommand): Promise<void> {
  const { host, port, paths, headers } = command;
  const lines = Object.entries({ host: `${host}:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const requests = paths.map((path) => `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  let at = 0;
  const figures = await runClosedLoop({ ...command, nextRequest: () => requests[at++ % requests.length] });
  tell({ kind: 'measured', load: figures });
}

function tell(report: GeneratorReport): void {
  process.send?.(report);
}
