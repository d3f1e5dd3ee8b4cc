import { LoadFigures, runClosedLoop } from '../support/closed-loop';
import { OpenLoopFigures, runOpenLoop } from '../support/open-loop';

/** Commands for the generator's process; times in ms. */
export interface GeneratorCommand {
  readonly host: string;
  readonly port: number;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
  /** Requests begin at this rate; undefined: each connection sends the next one after a response. */
  readonly requestsPerS?: number;
  /** Sent in rotation. */
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Adds a unique, meaningless argument to each request, so that no response can be cached. */
  readonly isNew: boolean;
}

/** Reports of the generator's process. */
export type GeneratorReport = { readonly kind: 'ready' } | { readonly kind: 'measured'; readonly load: LoadFigures };

/** Counts over all loads of this process. */
let uniqueRequests = 0;

process.on('message', (command: GeneratorCommand) => void load(command));
process.on('disconnect', () => process.exit(0));
tell({ kind: 'ready' });

async function load(command: GeneratorCommand): Promise<void> {
  const { host, port, paths, headers } = command;
  const lines = Object.entries({ host: `${host}:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const tail = ` HTTP/1.1\r\n${lines.join('')}\r\n`;
  const heads = paths.map((path) => `GET ${path}`);
  const requests = heads.map((head) => head + tail);
  let at = 0;
  const nextKnown = (): string => requests[at++ % requests.length];
  const nextNew = (): string => {
    const head = heads[at++ % heads.length];
    return `${head}${head.includes('?') ? '&' : '?'}_=${uniqueRequests++}${tail}`;
  };
  const { requestsPerS } = command;
  const loop = { ...command, ports: [port], nextRequest: command.isNew ? nextNew : nextKnown };
  const figures = requestsPerS ? closed(await runOpenLoop({ ...loop, requestsPerS })) : await runClosedLoop(loop);
  tell({ kind: 'measured', load: figures });
}

function closed({ answered, refused, ...figures }: OpenLoopFigures): LoadFigures {
  return { ...figures, refused, succeeded: answered - Object.values(refused).reduce((sum, count) => sum + count, 0) };
}

function tell(report: GeneratorReport): void {
  process.send?.(report);
}
