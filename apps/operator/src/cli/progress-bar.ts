import { SingleBar } from 'cli-progress';

/** Signals that end a command unless it handles them. */
const ending = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A bar on standard error; without a terminal a line every five seconds. */
export function progressBar(format: string): SingleBar {
  return new RestoringBar({
    format,
    stream: process.stderr,
    noTTYOutput: true,
    notTTYSchedule: 5_000,
    hideCursor: true,
  });
}

/**
 * A bar whose terminal is as before also after Ctrl-C: while it is shown the cursor is hidden and long lines are cut off, and the shell
 * would go on so. The library's own handler would end the bar alone, and the command would go on.
 */
class RestoringBar extends SingleBar {
  override start(total: number, startValue: number, payload?: object): void {
    for (const signal of ending) process.once(signal, this.onEnding);
    super.start(total, startValue, payload);
  }

  override stop(): void {
    for (const signal of ending) process.off(signal, this.onEnding);
    super.stop();
  }

  private readonly onEnding = (signal: NodeJS.Signals): void => {
    this.stop();
    process.kill(process.pid, signal);
  };
}
