import { randomBytes, randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fixed } from '@podium/runtime/config';
import { internalTokenHeader } from '@podium/runtime/http';
import { Vault, secretLocations } from '../../apps/linkage/test/vault';
import { runPodium } from '../../apps/operator/src/podium';
import { until } from '../../tools/seed/api';
import { ServiceHandle } from '../../tools/stack/running-services';
import { startStackForTest } from '../../tools/stack/whole-stack';
import { PartnerApi, nowS } from '../support/partner-api';
import { PartnerUnderTest, mintToken } from '../support/partner-under-test';
import { SecretFile } from './secret-file';
import { Trickle } from './trickle';
import { withClient } from '../../tools/stack/with-client';

jest.setTimeout(240_000);

const overlapS = 12;
const token = (): string => randomBytes(24).toString('base64url');
const ringKey = (id: string) => ({ id, key: randomBytes(32) });
const ringText = (...ring: { id: string; key: Buffer }[]): string =>
  ring.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(',');

/** Services that authenticate the gateway by the internal token. */
const internalServices = ['linkage', 'ingestion', 'engagement', 'competition-read'] as const;

describe('secrets are rotated during traffic', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rotation-'));
  const [formerToken, newToken] = [token(), token()];
  const [formerKey, newKey] = [ringKey('vault-a'), ringKey('vault-b')];
  // The gateway and the services learn of a new token at different times, as they do on different nodes.
  const gatewayToken = new SecretFile(path.join(folder, 'gateway'), 'INTERNAL_TOKEN', formerToken);
  const servicesToken = new SecretFile(path.join(folder, 'services'), 'INTERNAL_TOKEN', formerToken);
  const vaultKeys = new SecretFile(path.join(folder, 'linkage'), 'VAULT_KEYS', ringText(formerKey));
  const trickle = new Trickle(150);
  let stack: Awaited<ReturnType<typeof startStackForTest>>;
  let partner: PartnerUnderTest;
  let operator: string;
  let pids: Record<string, number | undefined>;
  const podium = (...args: string[]): Promise<string> => runCommand(args, gateway(), operator);

  beforeAll(async () => {
    const internalToken = { INTERNAL_TOKEN_FILE: servicesToken.path };
    stack = await startStackForTest('rotation', {
      seed: false,
      instances: { linkage: 2 },
      env: {
        gateway: { INTERNAL_TOKEN_FILE: gatewayToken.path },
        linkage: { ...internalToken, VAULT_KEYS_FILE: vaultKeys.path },
        ingestion: internalToken,
        engagement: internalToken,
        'competition-read': internalToken,
      },
    });
    partner = await PartnerUnderTest.setUp(stack, {
      platform: 'rotated',
      contract: [{ name: 'bet', kind: 'repeatable', attributes: [] }],
      users: 2,
    });
    operator = await mintToken(stack.services.first('sandbox').url, 'operator', { '*': 'admin' });
    pids = pidsOf(stack.services.all);
    for (const list of ['integrations', 'vault', 'tasks', 'refusals?platform=rotated'])
      trickle.add(`operator's ${list}`, () => statusOf(`${gateway()}/admin/v1/${list}`, operator));
    trickle.add("a user's links", () => statusOf(`${gateway()}/v1/me/links`, partner.users[0].token));
  });

  afterAll(async () => {
    await trickle.stop();
    await stack?.dispose();
    fs.rmSync(folder, { recursive: true });
  });

  it('event and data keys: both are valid until the overlap ends, then the former is refused', async () => {
    const [listed] = JSON.parse(await podium('keys', 'list', 'rotated', '--json')) as { key_id: string }[];
    const send = (key: string) => () => sendEvent(key);
    const made = await podium('keys', 'create-data', '--name', 'site', '--scope', 'data:read', '--json');
    const { key, key_id: keyId } = JSON.parse(made) as { key: string; key_id: string };
    const read = (of: string) => () => statusOf(`${gateway()}/data/v4/games`, of);
    await until('the gateway knowing the key', 15_000, async () => ((await read(key)()) === 200 ? true : undefined));
    await Promise.all([
      rotateKey('event key', { keyId: listed.key_id, key: partner.keys[0], use: send }),
      rotateKey('data key', { keyId, key, use: read }),
    ]);
  });

  it('the internal token: gateway and services learn of it in any order, then the former is refused', async () => {
    const services = internalServices.flatMap((app) => stack.services.of(app));
    const [edge] = stack.services.of('gateway');
    gatewayToken.write(`${newToken},${formerToken}`);
    await haveTokens(2, [edge]);
    servicesToken.write(`${newToken},${formerToken}`);
    await haveTokens(2, services);
    servicesToken.write(newToken);
    await haveTokens(1, services);
    for (const { url } of services) {
      const ask = (internalToken: string): Promise<number> =>
        fetch(`${url}${pathOf(url)}`, {
          headers: { [internalTokenHeader]: internalToken, authorization: `Bearer ${operator}` },
        }).then(({ status }) => status);
      expect(await ask(formerToken)).toBe(401);
      // Competition-read authenticates a request without scopes, but refuses the read.
      expect([200, 403]).toContain(await ask(newToken));
    }
    gatewayToken.write(newToken);
    await haveTokens(1, [edge]);
  });

  it('the key ring: secrets of the former key can be decrypted, are re-encrypted, and then no longer need it', async () => {
    const sealedBefore = await sealedTokens();
    expect(sealedBefore.map(({ keyId }) => keyId)).toEqual(['vault-a', 'vault-a']);
    const plain = openedBy([formerKey], sealedBefore);

    vaultKeys.write(ringText(formerKey, newKey));
    await vaultState('vault-b', { state: 'unused', instances: 2 });
    await linkOneMore('while both keys open');
    vaultKeys.write(ringText(newKey, formerKey));
    await vaultState('vault-a', { state: 'unused', instances: 2 });
    const remaining = stack.services.of('linkage').map((each) => metric(each, 'linkage_vault_former_key_secrets'));
    expect(await Promise.all(remaining)).toEqual([0, 0]);
    vaultKeys.write(ringText(newKey));
    await until('the former key leaving all rings', 30_000, async () =>
      (await vaultKeyIds()).includes('vault-a') ? undefined : true,
    );

    const sealedAfter = await sealedTokens();
    expect(sealedAfter.map(({ keyId }) => keyId)).toEqual(['vault-b', 'vault-b', 'vault-b']);
    expect(openedBy([newKey], sealedAfter)).toMatchObject(plain);
    // Linking decrypts the client secret, which was re-encrypted as well.
    await linkOneMore('with the new key alone');
    for (const { logPath } of stack.services.of('linkage'))
      expect(fs.readFileSync(logPath, 'utf8')).not.toMatch(/do not open|lacks/);
  });

  it('no valid request failed, no process was restarted, no secret was logged', async () => {
    await trickle.stop();
    expect(trickle.failed).toEqual([]);
    for (const name of ['former event key', 'new event key', 'former data key', 'new data key', "operator's tasks"])
      expect(trickle.count(name)).toBeGreaterThan(10);
    expect(pidsOf(stack.services.all)).toEqual(pids);
    for (const { logPath } of stack.services.all) {
      const log = fs.readFileSync(logPath, 'utf8');
      for (const secret of [formerToken, newToken, ...[formerKey, newKey].map(({ key }) => key.toString('base64'))])
        expect(log).not.toContain(secret);
    }
  });

  function gateway(): string {
    return stack.services.publicUrl;
  }

  /** Rotates a key during traffic with both keys, once the gateway accepts the new one. */
  async function rotateKey(
    kind: string,
    former: { keyId: string; key: string; use: (key: string) => () => Promise<number> },
  ): Promise<void> {
    const { keyId, key, use } = former;
    trickle.add(`former ${kind}`, use(key));
    const rotated = await podium('keys', 'rotate', keyId, '--overlap', `${overlapS}s`, '--json');
    const latestEndMs = Date.now() + overlapS * 1000;
    const { key: newOne } = JSON.parse(rotated) as { key: string };
    await until(`the gateway knowing the new ${kind}`, 10_000, async () =>
      (await use(newOne)()) === 200 ? true : undefined,
    );
    trickle.add(`new ${kind}`, use(newOne));
    // Requests in flight at the end of the overlap may be accepted or refused.
    await sleep(latestEndMs - overlapMarginMs - Date.now());
    await trickle.end(`former ${kind}`);
    await sleep(Math.max(0, latestEndMs - Date.now()));
    expect(await use(key)()).toBe(401);
    expect(await use(newOne)()).toBe(200);
  }

  async function sendEvent(key: string): Promise<number> {
    const event = { id: randomUUID(), name: 'bet', created_at: nowS() };
    const { status } = await new PartnerApi(gateway(), key, 'rotated').send(partner.users[0].platformUserId, event);
    return status;
  }

  function pathOf(url: string): string {
    const app = internalServices.find((each) => stack.services.of(each).some((handle) => handle.url === url));
    const paths = {
      linkage: '/admin/v1/integrations',
      ingestion: '/admin/v1/refusals?platform=rotated',
      engagement: '/admin/v1/tasks',
      'competition-read': '/data/v4/games',
    };
    return paths[app!];
  }

  async function haveTokens(count: number, handles: readonly ServiceHandle[]): Promise<void> {
    for (const handle of handles)
      await until(`${handle.name} having ${count} tokens`, 30_000, async () =>
        (await metric(handle, 'secret_values{secret="INTERNAL_TOKEN"')) === count ? true : undefined,
      );
  }

  async function vaultState(keyId: string, wanted: { state: string; instances: number }): Promise<void> {
    await until(`${keyId} being ${JSON.stringify(wanted)}`, 40_000, async () => {
      const keys = JSON.parse(await podium('vault', '--json')) as {
        key_id: string;
        state: string;
        instances: number;
      }[];
      const found = keys.find(({ key_id }) => key_id === keyId);
      return found?.state === wanted.state && found.instances === wanted.instances ? true : undefined;
    });
  }

  async function vaultKeyIds(): Promise<string[]> {
    const keys = JSON.parse(await podium('vault', '--json')) as { key_id: string }[];
    return keys.map(({ key_id }) => key_id);
  }

  async function linkOneMore(name: string): Promise<void> {
    const user = name.replaceAll(' ', '-');
    await partner.link({ token: await mintToken(stack.services.first('sandbox').url, user), account: user });
  }

  async function sealedTokens(): Promise<{ linkId: string; keyId: string; sealed: string }[]> {
    return withClient(stack.infrastructure.addresses.database_url, async (client) => {
      const { rows } = await client.query<{ linkId: string; sealed: string }>(
        `SELECT link_id AS "linkId", access_token_enc AS sealed FROM linkage.link_tokens JOIN linkage.links USING (link_id)
         ORDER BY linked_at`,
      );
      return rows.map((row) => ({ ...row, keyId: row.sealed.split('.')[1] }));
    });
  }
});

const overlapMarginMs = 1_500;

function openedBy(
  ring: [{ id: string; key: Buffer }],
  rows: readonly { linkId: string; sealed: string }[],
): Record<string, string> {
  const vault = new Vault(fixed(ring));
  return Object.fromEntries(
    rows.map(({ linkId, sealed }) => [linkId, vault.open(sealed, secretLocations.accessToken(linkId))]),
  );
}

function pidsOf(handles: readonly ServiceHandle[]): Record<string, number | undefined> {
  return Object.fromEntries(handles.map(({ name, pid }) => [name, pid]));
}

async function statusOf(url: string, bearer: string): Promise<number> {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${bearer}` },
    signal: AbortSignal.timeout(10_000),
  });
  await response.arrayBuffer();
  return response.status;
}

/** The value of an instance's first sample whose line starts with this text. */
async function metric({ healthUrl }: ServiceHandle, beginning: string): Promise<number> {
  const text = await (await fetch(`${healthUrl}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(beginning));
  return Number(line?.split(' ').at(-1));
}

async function runCommand(args: string[], url: string, operatorToken: string): Promise<string> {
  let out = '';
  let err = '';
  const code = await runPodium(args, {
    env: { PODIUM_URL: url, PODIUM_TOKEN: operatorToken },
    readStdin: async () => '',
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  if (code !== 0) throw new Error(`podium ${args.join(' ')} failed: ${err}`);
  return out;
}
