import { Latencies } from './latencies';
import { LoadConnection } from './load-connection';

/** Closed-loop load: each connection sends the next request after the previous response; times in ms. */
export interface ClosedLoop {
  readonly host: string;
  /** The connections are spread over them. */
  readonly ports: readonly number[];
  readonly connections: number;
  /** Load before the measurement. */
  readonly warmUpMs: number;
  readonly measureMs: number;
  /** A complete HTTP request, one byte per character. */
  nextRequest(): string;
  /** The warm-up is over; counting begins now. */
  onMeasuring?(): void;
}

/** Client-side figures of the measured time. */
export interface LoadFigures {
  /** Responses 200. */
  readonly succeeded: number;
  readonly perS: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Responses other than 200, by status. */
  readonly refused: Readonly<Record<string, number>>;
}

/** Runs a load to its end; rejects when a connection breaks. */
export function runClosedLoop(load: ClosedLoop): Promise<LoadFigures> {
  return new Promise((resolve, reject) => {
    const latencies = new Latencies();
    const refused: Record<string, number> = {};
    let succeeded = 0;
    let measuring = false;
    const open = Array.from(
      { length: load.connections },
      (_, at) =>
        new LoadConnection({
          host: load.host,
          port: load.ports[at % load.ports.length],
          nextRequest: () => load.nextRequest(),
          onAnswer: (status, ms) => {
            if (!measuring) return;
            latencies.add(ms);
            if (status === 200) succeeded += 1;
            else refused[status] = (refused[status] ?? 0) + 1;
          },
          onError: reject,
        }),
    );
    setTimeout(() => {
      measuring = true;
      const startMs = performance.now();
      load.onMeasuring?.();
      setTimeout(() => {
        measuring = false;
        const perS = succeeded / ((performance.now() - startMs) / 1000);
        for (const connection of open) connection.stop();
        resolve({ succeeded, perS, p50Ms: latencies.quantile(0.5), p99Ms: latencies.quantile(0.99), refused });
      }, load.measureMs);
    }, load.warmUpMs);
  });
}
