import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline/promises';
import { Terminal, runPartnerProgram } from './partner-program';

// The reader of the output, such as head, may close it early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

const terminal: Terminal = {
  out: (line) => void process.stdout.write(line),
  err: (line) => void process.stderr.write(line),
  isInteractive: process.stdin.isTTY === true,
  ask: async (question) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return await lines.question(question);
    } finally {
      lines.close();
    }
  },
  readStdin: () => text(process.stdin),
};

void runPartnerProgram(process.argv.slice(2), terminal).then((code) => {
  process.exitCode = code;
});
