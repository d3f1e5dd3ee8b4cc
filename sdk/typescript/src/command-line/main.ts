import { text } from 'node:stream/consumers';
import { runPartnerProgram } from './partner-program';
import { askIn } from './prompt';

/** Also when the process ends before the command has: nothing was found out, so it must not look like a success. */
const unfinished = 3;
process.exitCode = unfinished;

// The reader of the output, such as head, may close it early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(unfinished);
  throw error;
});

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
