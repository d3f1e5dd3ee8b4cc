/** Kinds of input, in the order of the table. */
export const inputKinds = [
  'json',
  'http',
  'partner-events',
  'me-links',
  'operators',
  'competition-data',
  'held',
  'broken off',
] as const;

const heldKinds = new Set<InputKind>(['held', 'broken off']);

/** A kind of input. */
export type InputKind = (typeof inputKinds)[number];

/** A problem with a request that reproduces it. */
export interface Finding {
  readonly kind: InputKind;
  /** The problem; the same text for all requests that cause it. */
  readonly fault: string;
  /** One request that causes it, as text that can be sent again. */
  readonly request: string;
  readonly answer: string;
  times: number;
}

const classes = ['2XX', '3XX', '4XX', '429', '5XX', 'none'] as const;
type AnswerClass = (typeof classes)[number];

/** Counts responses by kind and collects findings. */
export class Tally {
  private readonly counts = new Map<InputKind, Map<AnswerClass, number>>();
  private readonly found = new Map<string, Finding>();
  private readonly succeeded = new Set<string>();
  /** Requests that were repeated after no response or a 503. */
  repeated = 0;

  /** `onFound` is called once for each finding, with the first request that causes it. */
  constructor(private readonly onFound: (finding: Finding) => void = () => undefined) {}

  /** Counts a request; null means no response. */
  count(kind: InputKind, status: number | null, place?: string): void {
    if (place !== undefined && status !== null && status >= 200 && status < 300) this.succeeded.add(`${kind} ${place}`);
    let counts = this.counts.get(kind);
    if (!counts) this.counts.set(kind, (counts = new Map<AnswerClass, number>()));
    const name = classOf(status);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }

  /** Records a finding; the same problem of the same place is one finding. */
  find(kind: InputKind, place: string, fault: string, shown: { request: string; answer: string }): void {
    const key = `${kind} ${place} ${fault}`;
    const known = this.found.get(key);
    if (known) {
      known.times += 1;
      return;
    }
    const finding = { kind, fault: `${place}: ${fault}`, ...shown, times: 1 };
    this.found.set(key, finding);
    this.onFound(finding);
  }

  get findings(): readonly Finding[] {
    return [...this.found.values()];
  }

  /** Whether a request of a place got a 2XX. */
  hasSucceeded(kind: InputKind, place: string): boolean {
    return this.succeeded.has(`${kind} ${place}`);
  }

  /** The number of 2XX responses of a kind. */
  successes(kind: InputKind): number {
    return this.sum(kind, (name) => name === '2XX');
  }

  /** The progress of a run as text. */
  progress(): string {
    return `${this.asked()} requests, ${this.findings.length} findings`;
  }

  /** The number of requests of a kind, or of all kinds. */
  requests(kind?: InputKind): number {
    return this.sum(kind, () => true);
  }

  /** The number of requests without those of held connections, which expect no response. */
  asked(): number {
    return inputKinds.filter((kind) => !heldKinds.has(kind)).reduce((sum, kind) => sum + this.requests(kind), 0);
  }

  /** The number of 429 responses of the kinds. */
  limited(kinds: readonly InputKind[]): number {
    return kinds.reduce((sum, kind) => sum + this.sum(kind, (name) => name === '429'), 0);
  }

  /** A table by kind: requests, responses by status class, findings. */
  table(): string {
    const header = ['kind', 'requests', ...classes, 'findings'];
    const rows = inputKinds
      .filter((kind) => this.counts.has(kind))
      .map((kind) => [
        kind,
        String(this.requests(kind)),
        ...classes.map((name) => String(this.counts.get(kind)?.get(name) ?? 0)),
        String(this.findings.filter((finding) => finding.kind === kind).length),
      ]);
    const widths = header.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column].length)));
    const line = (row: readonly string[]): string =>
      row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  ');
    return [line(header), ...rows.map(line)].join('\n');
  }

  private sum(kind: InputKind | undefined, counts: (name: AnswerClass) => boolean): number {
    let sum = 0;
    for (const [each, byClass] of this.counts)
      if (kind === undefined || each === kind) for (const [name, count] of byClass) if (counts(name)) sum += count;
    return sum;
  }
}

/** A finding as text. */
export function describeFinding({ kind, fault, request, answer, times }: Finding): string {
  return `${kind}: ${fault} (${times} times)\n    ${request}\n    ${answer}`;
}

function classOf(status: number | null): AnswerClass {
  if (status === null) return 'none';
  if (status === 429) return '429';
  if (status >= 500) return '5XX';
  if (status >= 400) return '4XX';
  return status >= 300 ? '3XX' : '2XX';
}
