import { parseKey } from '@podium/messages';
import { Admin } from './admin';
import { call } from './api';
import { DemoDataKeys, makeDataKeys } from './data-keys';

/** The demo's keys. */
export interface DemoKeys extends DemoDataKeys {
  event_api_key: string;
}

/**
 * New keys for those of the demo that an operator has revoked, or that have expired after a rotation: else a start would print
 * commands with keys that are refused. Empty when all are live. An event key that cannot be replaced, because two others are
 * live, stays as it is.
 */
export async function replaceEndedKeys(
  admin: Admin,
  keys: DemoKeys,
  demo: {
    readonly platform: string;
    readonly sandboxUrl: string;
    readonly integration: {
      readonly integration_id: string;
      readonly onboarding: { test: { send_event_url: string } };
    };
    readonly queue: { readonly gameId: string; readonly organizerId: string };
  },
): Promise<Partial<DemoKeys>> {
  const replaced: Partial<DemoKeys> = {};
  const dataKeys = await stateOfKeys(admin, '/keys');
  const names = (['data_api_key', 'queue_developer_key', 'queue_organizer_key'] as const).filter((name) =>
    hasEnded(dataKeys, keys[name]),
  );
  if (names.length > 0) Object.assign(replaced, await makeDataKeys(admin, demo.queue, names));

  const path = `/integrations/${demo.integration.integration_id}/keys`;
  const eventKeys = await stateOfKeys(admin, path);
  const liveKeys = [...eventKeys.values()].filter((state) => state === 'live').length;
  if (!hasEnded(eventKeys, keys.event_api_key) || liveKeys >= 2) return replaced;
  const { key } = await admin.post<{ key: string }>(path, {});
  const { send_event_url } = demo.integration.onboarding.test;
  await call('PUT', `${demo.sandboxUrl}/dev/partners/${demo.platform}`, {
    body: { sending: { send_event_url, platform: demo.platform, event_api_key: key } },
  });
  return { ...replaced, event_api_key: key };
}

/** The states of the newest keys, by id. */
async function stateOfKeys(admin: Admin, path: string): Promise<Map<string, string>> {
  const keys = await admin.list<{ key_id: string; state: string }>(path);
  return new Map(keys.map(({ key_id, state }) => [key_id, state]));
}

/** False for a key that is not listed: behind so many newer ones its state is unknown. */
function hasEnded(states: ReadonlyMap<string, string>, key: string): boolean {
  const state = states.get(parseKey(key)?.keyId ?? '');
  return state !== undefined && state !== 'live';
}
