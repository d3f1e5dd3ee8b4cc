/** Shows the progress of the stack: plain lines with elapsed time, and on a terminal one line that is updated in place. */
export class Progress {
  private readonly startedAt = Date.now();
  private readonly running = new Map<string, number>();
  private readonly isTerminal = process.stdout.isTTY === true;
  private ticker?: NodeJS.Timeout;
  private isClosed = false;

  /** Runs a step and prints a line at its end; without a terminal, also a line every 10 s while it runs. */
  async step<T>(name: string, work: () => Promise<T>, describe?: (result: T) => string): Promise<T> {
    const startedAt = Date.now();
    this.running.set(name, startedAt);
    this.tick();
    try {
      const result = await work();
      this.end(name, `${describe ? `${name}: ${describe(result)}` : name} (${seconds(Date.now() - startedAt)})`, '✓');
      return result;
    } catch (error) {
      this.end(name, `${name} failed (${seconds(Date.now() - startedAt)})`, '✗');
      throw error;
    }
  }

  /** Prints a separate line. */
  say(text: string): void {
    this.line(text, '·');
  }

  /** Time since the start, for people: `12.3 s`. */
  elapsed(): string {
    return seconds(Date.now() - this.startedAt);
  }

  private end(name: string, text: string, mark: string): void {
    this.running.delete(name);
    if (this.running.size === 0) {
      clearInterval(this.ticker);
      this.ticker = undefined;
    }
    this.line(text, mark);
  }

  /** Stops showing progress: interrupted steps have not failed. */
  close(): void {
    this.isClosed = true;
    clearInterval(this.ticker);
    if (this.isTerminal) process.stdout.write('\r\x1b[2K');
  }

  private line(text: string, mark: string): void {
    if (this.isClosed) return;
    if (this.isTerminal) process.stdout.write('\r\x1b[2K');
    console.log(`[${this.elapsed().padStart(7)}] ${mark} ${text}`);
    if (this.ticker && this.isTerminal) this.drawTick();
  }

  private tick(): void {
    if (this.isClosed) return;
    this.ticker ??= setInterval(() => this.drawTick(), this.isTerminal ? 100 : 10_000).unref();
    if (this.isTerminal) this.drawTick();
  }

  private drawTick(): void {
    const frame = this.isTerminal ? frames[Math.floor(Date.now() / 100) % frames.length] : '…';
    const names = [...this.running].map(
      ([name, startedAt]) => `${name} ${Math.round((Date.now() - startedAt) / 1000)} s`,
    );
    const text = `[${this.elapsed().padStart(7)}] ${frame} ${names.join(', ')}`;
    if (this.isTerminal) process.stdout.write(`\r\x1b[2K${text.slice(0, (process.stdout.columns ?? 80) - 1)}`);
    else console.log(text);
  }
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
