import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A value stored as one JSON file. The file is replaced as a whole, so that a crash leaves the old or the new value. */
export class JsonFile<T> {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly path: string,
    readonly value: T,
  ) {}

  /** Opens the file, or starts with the given value. */
  static open<T>(path: string, initial: () => T): JsonFile<T> {
    try {
      return new JsonFile(path, JSON.parse(readFileSync(path, 'utf8')) as T);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return new JsonFile(path, initial());
    }
  }

  /** Writes after a short delay, so that several changes share one write. */
  changed(): void {
    this.timer ??= setTimeout(() => this.write(), 50);
  }

  write(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    writeFileSync(`${this.path}.next`, JSON.stringify(this.value), { mode: 0o600 });
    renameSync(`${this.path}.next`, this.path);
  }
}
