import { EventRequests } from './event-requests';
import { LoadPlatform } from './fixture';
import { Latencies } from './latencies';
import { LoadConnection } from './load-connection';

/** What the bench tells the generator's process; times in ms. */
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

/** What the generator's process tells the bench. */
export type GeneratorReport =
  | { readonly kind: 'ready' }
  /** The warm-up is over; measuring begins now. */
  | { readonly kind: 'measuring' }
  | { readonly kind: 'measured'; readonly load: LoadFigures };

/** What clients saw in the measured time. */
export interface LoadFigures {
  readonly accepted: number;
  readonly eventsPerS: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers other than 200, by status. */
  readonly refused: Readonly<Record<string, number>>;
}

let platforms: readonly LoadPlatform[] = [];

process.on('message', (command: GeneratorCommand) => {
  if (command.kind === 'platforms') platforms = command.platforms;
  else load(command);
});
process.on('disconnect', () => process.exit(0));
tell({ kind: 'ready' });

function load({ host, port, connections, warmUpMs, measureMs }: Extract<GeneratorCommand, { kind: 'load' }>): void {
  const requests = new EventRequests(platforms, `${host}:${port}`);
  const latencies = new Latencies();
  const refused: Record<string, number> = {};
  let accepted = 0;
  let measuring = false;
  const open = Array.from(
    { length: connections },
    () =>
      new LoadConnection({
        host,
        port,
        nextRequest: () => requests.next(),
        onAnswer: (status, ms) => {
          if (!measuring) return;
          latencies.add(ms);
          if (status === 200) accepted += 1;
          else refused[status] = (refused[status] ?? 0) + 1;
        },
        onError: (error) => {
          throw error;
        },
      }),
  );
  setTimeout(() => {
    measuring = true;
    const startMs = performance.now();
    tell({ kind: 'measuring' });
    setTimeout(() => {
      measuring = false;
      const eventsPerS = accepted / ((performance.now() - startMs) / 1000);
      tell({
        kind: 'measured',
        load: { accepted, eventsPerS, p50Ms: latencies.quantile(0.5), p99Ms: latencies.quantile(0.99), refused },
      });
      for (const connection of open) connection.stop();
    }, measureMs);
  }, warmUpMs);
}

function tell(report: GeneratorReport): void {
  process.send?.(report);
}
