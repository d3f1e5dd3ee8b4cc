import * as fs from 'node:fs/promises';
import * as path from 'node:path';

/** An event that was given up, and why. */
export interface DeadLetter {
  readonly code: string;
  readonly message: string;
  readonly status?: number;
  readonly requestId?: string;
  readonly docsUrl?: string;
  /** The request body, or a damaged line of the queue. */
  readonly event: string;
}

/** The file of events that were given up, one JSON object per line; nothing is ever removed from it. */
export class DeadLetterFile {
  private constructor(
    readonly path: string,
    private readonly nowIso: () => string,
  ) {}

  /** The file of a queue's folder. */
  static in(folder: string, nowIso = () => new Date().toISOString()): DeadLetterFile {
    return new DeadLetterFile(path.join(folder, 'dead-letters.ndjson'), nowIso);
  }

  /** Resolves when the letters are on disk. */
  async write(letters: readonly DeadLetter[]): Promise<void> {
    if (letters.length === 0) return;
    const lines = letters.map((letter) => {
      const { code, message, status, requestId, docsUrl } = letter;
      const reason = { at: this.nowIso(), code, message, status, request_id: requestId, docs_url: docsUrl };
      return `${JSON.stringify({ ...reason, event: parsedOr(letter.event) })}\n`;
    });
    const file = await fs.open(this.path, 'a+', 0o600);
    try {
      // The process may have been killed in the middle of a line.
      const { size } = await file.stat();
      const last = Buffer.alloc(1);
      if (size > 0) await file.read(last, 0, 1, size - 1);
      const isTorn = size > 0 && last[0] !== 0x0a;
      await file.appendFile((isTorn ? '\n' : '') + lines.join(''));
      await file.sync();
    } finally {
      await file.close();
    }
  }
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
