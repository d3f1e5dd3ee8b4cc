import { readFile } from 'node:fs/promises';
import { Field } from './config';

/** A value that may change: read `current` at each use and store it nowhere. */
export interface Live<Value> {
  readonly current: Value;
}

/** A value that does not change. */
export function fixed<Value>(current: Value): Live<Value> {
  return { current };
}

/** A secret that is re-read from its file while the process runs; one from the environment stays as it is. */
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

  /** When the current value was read, Unix milliseconds. */
  get sinceMs(): number {
    return this.takenAtMs;
  }

  /** Calls the listener after each change. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /**
   * Re-reads the file; returns whether its value is new. When the file is missing or malformed the value stays, and this
   * throws the reason, without the text.
   */
  async reload(): Promise<boolean> {
    if (this.file === undefined) return false;
    // Read instead of watched: kubelet replaces links to folders, which file watchers report unreliably.
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

/** A secret field whose file is re-read while the process runs. */
export function live<Value>(field: Field<Value>): Field<LiveSecret<Value>> & { readonly live: true } {
  return {
    ...field,
    secret: true,
    live: true,
    parse: (text, source) => new LiveSecret(text, (next) => field.parse(next, source), source?.file),
  };
}
