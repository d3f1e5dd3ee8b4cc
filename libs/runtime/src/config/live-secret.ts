import { readFile } from 'node:fs/promises';
import { Field } from './config';

/** A value that may be another one at the next look: take `current` at each use and keep it nowhere. */
export interface Live<Value> {
  readonly current: Value;
}

/** A value that stays as it is. */
export function fixed<Value>(current: Value): Live<Value> {
  return { current };
}

/** A secret that is read anew from its file while the process runs; one from the environment stays as it is. */
export class LiveSecret<Value> implements Live<Value> {
  private value: Value;
  private takenAtMs = Date.now();
  private readonly listeners: (() => void)[] = [];

  constructor(
    private text: string,
    private readonly parse: (text: string) => Value,
    private readonly file: string | undefined,
  ) {
    this.value = parse(text);
  }

  get current(): Value {
    return this.value;
  }

  /** When the present value was taken, Unix milliseconds. */
  get sinceMs(): number {
    return this.takenAtMs;
  }

  /** Calls back after each change. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /**
   * Reads the file and takes what it says; returns whether that is new. When the file is away or malformed the value stays
   * and the reason is thrown, without the text.
   */
  async reload(): Promise<boolean> {
    if (this.file === undefined) return false;
    // Not watched but read: kubelet replaces links to folders, of which watchers hear unreliably.
    const text = (await readFile(this.file, 'utf8')).trim();
    if (text === this.text) return false;
    if (text === '') throw new Error('the file is empty');
    this.value = this.parse(text);
    this.text = text;
    this.takenAtMs = Date.now();
    for (const listener of this.listeners) listener();
    return true;
  }
}

/** A secret field whose file is read anew while the process runs. */
export function live<Value>(field: Field<Value>): Field<LiveSecret<Value>> & { readonly live: true } {
  return {
    ...field,
    secret: true,
    live: true,
    parse: (text, source) => new LiveSecret(text, (next) => field.parse(next, source), source?.file),
  };
}
