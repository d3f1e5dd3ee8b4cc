// Ends the processes of a stack that was killed. Its standard input is a pipe from the stack:
// "+pid" and "-pid" lines say which process groups live; the end of the pipe means that the stack is gone.
import { createInterface } from 'node:readline';

const graceMs = 5000;
const groups = new Set();

function signalAll(signal) {
  for (const pid of groups) {
    try {
      process.kill(-pid, signal);
    } catch {
      groups.delete(pid);
    }
  }
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const pid = Number(line.slice(1));
    if (line[0] === '+') groups.add(pid);
    else groups.delete(pid);
  })
  .on('close', () => {
    signalAll('SIGTERM');
    if (groups.size === 0) process.exit(0);
    setTimeout(() => {
      signalAll('SIGKILL');
      process.exit(0);
    }, graceMs);
  });
