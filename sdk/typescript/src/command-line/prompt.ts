import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { InputEndedError } from './terminal';

/** Asks for one line; with `isSecret` nothing of it is shown. Rejects with `InputEndedError` when the input ends before. */
export function askIn(
  input: NodeJS.ReadableStream & { readonly isTTY?: boolean },
  output: NodeJS.WritableStream & { readonly isTTY?: boolean },
  question: string,
  { isSecret } = { isSecret: false },
): Promise<string> {
  // The editor of lines turns the terminal's own echo off and writes each character itself: here, to nowhere.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = isSecret
    ? createInterface({ input, output: nowhere, terminal: input.isTTY })
    : createInterface({ input, output, terminal: output.isTTY });
  if (isSecret) output.write(question);
  return new Promise<string>((resolve, reject) => {
    lines.question(isSecret ? '' : question, (line) => {
      resolve(line);
      lines.close();
    });
    lines.once('close', () => {
      if (isSecret) output.write('\n');
      reject(new InputEndedError('The input ended before an answer.'));
    });
  });
}
