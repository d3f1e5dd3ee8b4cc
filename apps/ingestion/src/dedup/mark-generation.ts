import { Queryable } from '@podium/runtime/postgres';
import { readMarkGeneration } from './mark-generation.store';

/** Age of what was last read, ms, from which it is read again in the background. */
const refreshMs = 10_000;

/**
 * Which marks count. A mark says that the topic has its event. When operators find that the topic has lost events, or that
 * nobody can read them, they begin a new generation; marks of former ones no longer count, so that the events can be sent again.
 */
export class MarkGeneration {
  private lastRead: { readonly generation: string; readonly atMs: number } | undefined;
  private isReading = false;

  constructor(private readonly db: Queryable) {}

  /**
   * The generation last read, which a newer one may have replaced; undefined before the first reading. Marks are written and
   * looked up under it: a mark of a former generation that is missed costs a second record in the topic.
   */
  known(): string | undefined {
    if (this.lastRead === undefined || performance.now() - this.lastRead.atMs > refreshMs) void this.refresh();
    return this.lastRead?.generation;
  }

  /** The generation in force at some moment after the call; undefined while Postgres does not respond. */
  async inForce(): Promise<string | undefined> {
    try {
      const generation = await readMarkGeneration(this.db);
      this.lastRead = { generation, atMs: performance.now() };
      return generation;
    } catch {
      return undefined;
    }
  }

  private async refresh(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    await this.inForce();
    this.isReading = false;
  }
}
