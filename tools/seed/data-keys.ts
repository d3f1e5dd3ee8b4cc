import { Admin } from './admin';

/** Demo keys for competition data, each shown once by the API. */
export interface DemoDataKeys {
  data_api_key: string;
  queue_developer_key: string;
  queue_organizer_key: string;
}

/** High enough not to be reached in manual tests. */
const ratePerSecond = 1_000;

/** Re-creates the three demo keys: one that reads data, one of a game's developer, one of a queue's organizer; or those of `names`. */
export async function makeDataKeys<Name extends keyof DemoDataKeys = keyof DemoDataKeys>(
  admin: Admin,
  queue: { readonly gameId: string; readonly organizerId: string },
  names?: readonly Name[],
): Promise<Pick<DemoDataKeys, Name>> {
  const scopesByName = {
    data_api_key: { scope: 'data:read' },
    queue_developer_key: { scope: 'queues:developer', game_ids: [queue.gameId] },
    queue_organizer_key: { scope: 'queues:organizer', organizer_ids: [queue.organizerId] },
  };
  const known = await admin.list<{ key_id: string; name: string | null; state: string }>('/keys');
  const made: Partial<DemoDataKeys> = {};
  for (const [name, scope] of Object.entries(scopesByName) as [Name, object][]) {
    if (names && !names.includes(name)) continue;
    const label = `Demo ${name}`;
    // Keys of an interrupted run are lost: they cannot be read again.
    for (const key of known)
      if (key.name === label && key.state === 'live') await admin.post(`/keys/${key.key_id}/revoke`, {});
    const { key } = await admin.post<{ key: string }>('/keys', {
      name: label,
      scopes: [scope],
      rate_per_second: ratePerSecond,
    });
    made[name] = key;
  }
  return made as Pick<DemoDataKeys, Name>;
}
