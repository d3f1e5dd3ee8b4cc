import { text } from 'node:stream/consumers';
import { runPartnerProgram } from './partner-program';
import { askIn } from './prompt';

/** Also when the process ends before the command has: nothing was found out, so it must not look like a success. */
const unfinished = 3;
process.exitCode = unfinished;

// The reader of the output, such as head, may close it early, and a disk may be full. What was printed is not complete then.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE') process.stderr.write(`The output cannot be written: ${message}\n`);
  process.exit(unfinished);
});
// Progress and notes may be lost; the work goes on, and the exit code says how it ended.
process.stderr.on('error', () => undefined);

void runPartnerProgram(process.argv.slice(2), {
  out: (line) => void process.stdout.write(line),
  err: (line) => void process.stderr.write(line),
  env: process.env,
  columns: process.stderr.isTTY === true ? (process.stderr.columns ?? 80) : undefined,
  isInteractive: process.stdin.isTTY === true,
  ask: (question, options) => askIn(process.stdin, process.stderr, question, options),
  readStdin: () => text(process.stdin),
}).then((code) => {
  process.exitCode = code;
});
