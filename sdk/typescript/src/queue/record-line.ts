import { createHash } from 'node:crypto';

const digestLength = 8;

/** A record as a line of a segment: a digest of its text, a space, the text, a line feed. JSON text has no line feed. */
export function encodeLine(text: string): Buffer {
  return Buffer.from(`${digestOf(text)} ${text}\n`);
}

/** The text of a line without its line feed; undefined when the line is not what was written. */
export function decodeLine(line: Buffer): string | undefined {
  const text = line.subarray(digestLength + 1).toString('utf8');
  const digest = line.subarray(0, digestLength + 1).toString('latin1');
  return digest === `${digestOf(text)} ` ? text : undefined;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digestLength);
}
