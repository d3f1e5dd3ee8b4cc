import { PartStatus, partStatus } from './part';

const timeoutMs = 5_000;

/** Whether each instance is ready, by its health address. */
export function instanceStatuses(instances: ReadonlyMap<string, string>): Promise<PartStatus[]> {
  return Promise.all([...instances].map(([name, url]) => partStatus(name, () => readiness(url))));
}

/** Whether the gateway answers requests from where the command runs. */
export function edgeStatus(gatewayUrl: string): Promise<PartStatus> {
  return partStatus('edge', async () => {
    const response = await ask(`${gatewayUrl.replace(/\/+$/, '')}/cdp/v1/users/events/send`, 'POST');
    // Without a key 401 is expected; any other status comes from a server in front of the gateway.
    return response.status === 401
      ? { state: 'ok', detail: `${gatewayUrl} answers` }
      : { state: 'attention', detail: `${gatewayUrl} answers ${response.status} to an event without a key, not 401` };
  });
}

async function readiness(url: string): Promise<Omit<PartStatus, 'part'>> {
  const response = await ask(`${url}/health/ready`, 'GET');
  if (response.ok) return { state: 'ok', detail: 'ready' };
  return {
    state: 'attention',
    detail: `not ready: ${reasonsOf(response.text) ?? `${url} answers ${response.status}`}`,
  };
}

/** The reasons of an instance; undefined for the response of another server, such as a proxy in front of it. */
function reasonsOf(text: string): string | undefined {
  try {
    const { reasons } = JSON.parse(text) as { reasons?: unknown };
    return Array.isArray(reasons) ? reasons.map(String).join(', ') : undefined;
  } catch {
    return undefined;
  }
}

async function ask(url: string, method: string): Promise<{ ok: boolean; status: number; text: string }> {
  try {
    const response = await fetch(url, { method, signal: AbortSignal.timeout(timeoutMs) });
    return { ok: response.ok, status: response.status, text: await response.text() };
  } catch {
    throw new Error(`${url} does not answer`);
  }
}
