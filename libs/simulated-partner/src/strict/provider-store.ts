import { Adapter, AdapterPayload } from 'oidc-provider';

/** What a provider stores, by model and id; it can be stored as JSON. */
export type ProviderEntries = Record<string, StoredEntry>;

interface StoredEntry {
  payload: AdapterPayload;
  /** Unix ms; absent for what never expires. */
  expires_at?: number;
}

/** Entries that have expired are removed after so many writes. */
const pruneEvery = 200;

/** Storage of an OpenID provider in one record, without a limit at which live tokens are evicted. */
export class ProviderStore {
  private writes = 0;

  constructor(
    private readonly entries: ProviderEntries,
    private readonly changed: () => void,
    private readonly now: () => number = Date.now,
  ) {}

  /** The adapter of a model, as the provider asks for it. */
  readonly adapter = (model: string): Adapter => ({
    upsert: async (id, payload, expiresInS) => this.put(`${model}:${id}`, payload, expiresInS),
    find: async (id) => this.get(`${model}:${id}`),
    findByUid: async (uid) => this.search(model, (payload) => payload.uid === uid),
    findByUserCode: async (userCode) => this.search(model, (payload) => payload.userCode === userCode),
    consume: async (id) => {
      const payload = this.get(`${model}:${id}`);
      if (payload) payload.consumed = Math.floor(this.now() / 1000);
      this.changed();
    },
    destroy: async (id) => this.remove((key) => key === `${model}:${id}`),
    revokeByGrantId: async (grantId) =>
      this.remove((key, payload) => key.startsWith(`${model}:`) && payload.grantId === grantId),
  });

  private get(key: string): AdapterPayload | undefined {
    const entry = this.entries[key];
    return entry && (entry.expires_at ?? Infinity) > this.now() ? entry.payload : undefined;
  }

  private put(key: string, payload: AdapterPayload, expiresInS: number | undefined): void {
    this.entries[key] = { payload, ...(expiresInS ? { expires_at: this.now() + expiresInS * 1000 } : {}) };
    if (++this.writes % pruneEvery === 0) this.remove((each) => this.get(each) === undefined);
    this.changed();
  }

  private search(model: string, matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    const key = Object.keys(this.entries).find(
      (each) => each.startsWith(`${model}:`) && matches(this.entries[each].payload),
    );
    return key === undefined ? undefined : this.get(key);
  }

  private remove(matches: (key: string, payload: AdapterPayload) => boolean): void {
    for (const [key, { payload }] of Object.entries(this.entries)) if (matches(key, payload)) delete this.entries[key];
    this.changed();
  }
}
