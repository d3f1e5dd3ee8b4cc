import { Latencies } from './latencies';
import { LoadConnection } from './load-connection';

/** Open-loop load: requests begin at a fixed rate, whether or not earlier ones are answered; times in ms. */
export interface OpenLoop {
  readonly host: string;
  /** The connections are spread over them. */
  readonly ports: readonly number[];
  /** As many requests are in flight at most; further ones wait here, and their time runs. */
  readonly connections: number;
  readonly requestsPerS: number;
  /** Load before the measurement. */
  readonly warmUpMs: number;
  readonly measureMs: number;
  /** A complete HTTP request, one byte per character. */
  nextRequest(): string;
  /** The warm-up is over; counting begins now. */
  onMeasuring?(): void;
}

/** Client-side figures of the measured time. A latency runs from the time at which the request was due. */
export interface OpenLoopFigures {
  readonly answered: number;
  readonly perS: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Responses other than 200, by status. */
  readonly refused: Readonly<Record<string, number>>;
  /** Requests that were due and not answered at the end: many mean that the rate is above the limit. */
  readonly unanswered: number;
}

/** Requests that are due begin in steps of this time. */
const stepMs = 1;

/** Runs a load to its end; rejects when a connection breaks. */
export function runOpenLoop(load: OpenLoop): Promise<OpenLoopFigures> {
  return new Promise((resolve, reject) => {
    const timers: NodeJS.Timeout[] = [];
    const run: OpenLoopRun = new OpenLoopRun(load, (error) => {
      for (const timer of timers) clearTimeout(timer);
      run.end();
      reject(error);
    });
    const measure = (): void => {
      run.measure();
      load.onMeasuring?.();
      timers.push(setTimeout(() => resolve(run.end()), load.measureMs));
    };
    timers.push(setTimeout(measure, load.warmUpMs));
  });
}

class OpenLoopRun {
  private readonly latencies = new Latencies();
  private readonly refused: Record<string, number> = {};
  private readonly idle: LoadConnection[] = [];
  private readonly connections: LoadConnection[];
  private readonly timer: NodeJS.Timeout;
  private readonly startMs = performance.now();
  /** Due times of requests that wait for a connection, oldest first. */
  private readonly due: number[] = [];
  private begun = 0;
  private inFlight = 0;
  private answered = 0;
  private measuredFromMs = Infinity;

  constructor(
    private readonly load: OpenLoop,
    onError: (error: Error) => void,
  ) {
    this.connections = Array.from({ length: load.connections }, (_, at) => this.open(at, onError));
    this.timer = setInterval(() => this.begin(), stepMs);
  }

  /** Counts from now on. */
  measure(): void {
    this.measuredFromMs = performance.now();
    this.latencies.reset();
    this.answered = 0;
    for (const status of Object.keys(this.refused)) delete this.refused[status];
  }

  end(): OpenLoopFigures {
    clearInterval(this.timer);
    for (const connection of this.connections) connection.stop();
    return {
      answered: this.answered,
      perS: this.answered / ((performance.now() - this.measuredFromMs) / 1000),
      p50Ms: this.latencies.quantile(0.5),
      p99Ms: this.latencies.quantile(0.99),
      refused: this.refused,
      unanswered: this.due.length + this.inFlight,
    };
  }

  private open(at: number, onError: (error: Error) => void): LoadConnection {
    let dueMs: number | undefined;
    const { host, ports } = this.load;
    const connection: LoadConnection = new LoadConnection({
      ...{ host, port: ports[at % ports.length], onError },
      nextRequest: () => {
        dueMs = this.due.shift();
        if (dueMs === undefined) {
          this.idle.push(connection);
          return undefined;
        }
        this.inFlight += 1;
        return this.load.nextRequest();
      },
      onAnswer: (status) => {
        this.inFlight -= 1;
        this.answered += 1;
        this.latencies.add(performance.now() - (dueMs ?? 0));
        if (status !== 200) this.refused[status] = (this.refused[status] ?? 0) + 1;
      },
    });
    return connection;
  }

  private begin(): void {
    const elapsedMs = performance.now() - this.startMs;
    for (const { requestsPerS } = this.load; this.begun * 1000 < elapsedMs * requestsPerS; this.begun++)
      this.due.push(this.startMs + (this.begun * 1000) / requestsPerS);
    while (this.due.length > 0 && this.idle.length > 0) this.idle.shift()?.sendNext();
  }
}
