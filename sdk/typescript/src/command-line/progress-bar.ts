import { Terminal } from './terminal';

/** How far a file is. */
export interface FileProgress {
  readonly offset: number;
  readonly inputBytes: number;
  readonly records: number;
  readonly refused: number;
}

interface Sample {
  readonly atMs: number;
  readonly offset: number;
  readonly records: number;
}

/** Rate and time left are those of the last samples, so that a pause does not distort them for long. */
const samplesKept = 15;
const [sampleEveryMs, redrawEveryMs, lineEveryMs] = [1_000, 200, 5_000];
const [barWidth, narrow] = [30, 90];

/** Shows progress: as a bar that is redrawn on a terminal, otherwise as a line every few seconds. */
export class ProgressBar {
  private readonly samples: Sample[] = [];
  private shownAtMs = -Infinity;
  private isDrawn = false;

  constructor(
    private readonly terminal: Pick<Terminal, 'err' | 'columns'>,
    private readonly nowMs: () => number,
  ) {}

  show(progress: FileProgress): void {
    const atMs = this.nowMs();
    this.sample(atMs, progress);
    const { columns, err } = this.terminal;
    if (atMs - this.shownAtMs < (columns === undefined ? lineEveryMs : redrawEveryMs)) return;
    this.shownAtMs = atMs;
    if (columns === undefined) return err(`${this.text(progress)}\n`);
    const done = Math.round(shareOf(progress) * barWidth);
    const bar = columns < narrow ? '' : `[${'#'.repeat(done)}${'-'.repeat(barWidth - done)}] `;
    err(`\r${`${bar}${this.text(progress)}`.slice(0, columns - 1)}\u001b[K`);
    this.isDrawn = true;
  }

  /** Prints a line above the bar. */
  note(line: string): void {
    this.terminal.err(this.isDrawn ? `\r\u001b[K${line}\n` : `${line}\n`);
    this.isDrawn = false;
  }

  /** Ends the line of the bar. */
  end(): void {
    if (this.isDrawn) this.terminal.err('\n');
    this.isDrawn = false;
  }

  private sample(atMs: number, { offset, records }: FileProgress): void {
    const last = this.samples.at(-1);
    if (last && atMs - last.atMs < sampleEveryMs) return;
    this.samples.push({ atMs, offset, records });
    if (this.samples.length > samplesKept) this.samples.shift();
  }

  private text(progress: FileProgress): string {
    const { offset, inputBytes, records, refused } = progress;
    const [first] = this.samples;
    const elapsedMs = this.nowMs() - first.atMs;
    const perSecond = elapsedMs > 0 ? ((records - first.records) * 1000) / elapsedMs : 0;
    const bytesPerMs = elapsedMs > 0 ? (offset - first.offset) / elapsedMs : 0;
    const left = bytesPerMs > 0 ? `, ${durationText((inputBytes - offset) / bytesPerMs)} left` : '';
    const share = `${Math.floor(100 * shareOf(progress))} %`;
    return `${share}, ${count(records)} lines, ${count(refused)} refused, ${Math.round(perSecond)}/s${left}`;
  }
}

/** A number for people. */
export function count(number: number): string {
  return number.toLocaleString('en');
}

/** A duration for people, such as `2 h 5 min`. */
export function durationText(ms: number): string {
  const s = Math.ceil(ms / 1000);
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
}

function shareOf({ offset, inputBytes }: FileProgress): number {
  return inputBytes === 0 ? 1 : offset / inputBytes;
}
