/** The fields of an award of the operators' API that the console shows. */
export interface IssuedAward {
  readonly award_id: string;
  readonly task_id: string;
  readonly platform_user_id: string;
  readonly reward: { type: string; amount?: string; currency?: string; item?: string };
  /** When the goal was reached: the time of the event that reached it. */
  readonly reached_at: string;
  /** What it is now, for example `issued` or `reversed`. */
  readonly state: string;
}

/** How far an account is with a task, where that is a number. */
export interface AccountProgress {
  readonly task_id: string;
  readonly platform_user_id: string | null;
  readonly value: string | null;
  readonly target: string | null;
}

/** The fields of a task that determine which events can reach its goal. */
export interface AwardingTask {
  readonly task_id: string;
  readonly name: string;
  readonly goal: unknown;
  readonly state: string;
}

/** An account that is in a segment. */
export interface SegmentMember {
  readonly segment_name: string;
  readonly platform_user_id: string | null;
}

/** The awards of a platform, its tasks, how far accounts are with them, and which are in a segment. */
export interface PlatformAwards {
  /** Newest first. */
  readonly awards: readonly IssuedAward[];
  readonly tasks: readonly AwardingTask[];
  readonly progress: readonly AccountProgress[];
  readonly members: readonly SegmentMember[];
}

const cachedForMs = 1_000;
const timeoutMs = 2_000;

/** Reads awards through the operators' API, with the role of a viewer. */
export class IssuedAwards {
  private readonly cache = new Map<string, { readAtMs: number; value: Promise<PlatformAwards> }>();

  constructor(
    private readonly options: {
      readonly publicUrl: string;
      readonly operatorToken: () => Promise<string>;
    },
  ) {}

  /** Returns null while awards cannot be read; the console then shows only events. */
  async of(platform: string): Promise<PlatformAwards | null> {
    const known = this.cache.get(platform);
    // Several open pages refresh themselves and share one response.
    if (known && Date.now() - known.readAtMs < cachedForMs) return known.value.catch(() => null);
    const value = this.read(platform);
    this.cache.set(platform, { readAtMs: Date.now(), value });
    return value.catch(() => null);
  }

  private async read(platform: string): Promise<PlatformAwards> {
    const token = await this.options.operatorToken();
    const list = async <T>(resource: string, query = ''): Promise<T[]> => {
      const url = `${this.options.publicUrl}/admin/v1/${resource}?limit=100${query}`;
      const response = await fetch(url, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (!response.ok) throw new Error(`${resource}: ${response.status}`);
      return ((await response.json()) as { items: T[] }).items;
    };
    const ofPlatform = `&platform=${encodeURIComponent(platform)}`;
    const [awards, tasks, segments] = await Promise.all([
      list<IssuedAward>('awards', ofPlatform),
      list<AwardingTask>('tasks', ofPlatform),
      list<{ segment_id: string; name: string; state: string }>('segments', ofPlatform),
    ]);
    const live = tasks.filter(({ state }) => state === 'published');
    const progress = await Promise.all(
      live.map(async ({ task_id }) => {
        const users = await list<Omit<AccountProgress, 'task_id'>>(`tasks/${encodeURIComponent(task_id)}/progress`);
        return users.map((user) => ({ ...user, task_id }));
      }),
    );
    const members = await Promise.all(
      segments
        .filter(({ state }) => state === 'published')
        .map(async ({ segment_id, name }) => {
          const users = await list<Omit<SegmentMember, 'segment_name'>>(
            `segments/${encodeURIComponent(segment_id)}/members`,
          );
          return users.map((user) => ({ ...user, segment_name: name }));
        }),
    );
    return { awards, tasks, progress: progress.flat(), members: members.flat() };
  }
}
