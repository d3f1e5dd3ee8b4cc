import { SingleBar } from 'cli-progress';

/** A bar on standard error; without a terminal a line every five seconds. */
export function progressBar(format: string): SingleBar {
  return new SingleBar({
    format,
    stream: process.stderr,
    noTTYOutput: true,
    notTTYSchedule: 5_000,
    hideCursor: true,
  });
}
