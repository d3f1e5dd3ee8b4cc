import { randomUUID } from 'node:crypto';
import { Pool } from '@podium/runtime/postgres';
import { freshName } from '@podium/testing';
import { OperatorCaller, callerOf } from '@podium/testing/operator-routes';
import { RunningLinkage } from '../running-linkage';

/** What one organizer has. */
export interface Side {
  readonly organizerId: string;
  readonly platform: string;
  /** A name that no integration has yet. */
  readonly furtherPlatform: string;
  readonly integrationId: string;
  /** The negotiated events. */
  readonly contract: readonly object[];
  readonly eventKeyId: string;
  readonly dataKeyId: string;
  /** A linked user of this organizer alone. */
  readonly userId: string;
  readonly erasureId: string;
  readonly testLinkId: string;
  /** A finished check of the partner's server. */
  readonly checkId: string;
  /** Text that stands in everything that belongs to this side. */
  readonly marks: readonly string[];
}

/** A response; text, so that all of it can be searched. */
export interface TextAnswer {
  readonly status: number;
  readonly text: string;
}

/** A side of which nothing exists. */
export function unknownSide(of: Side): Side {
  return {
    ...of,
    organizerId: 'organizer-of-nobody',
    platform: 'platform-of-nobody',
    userId: 'user-of-nobody',
    integrationId: '00000000-0000-4000-8000-00000000000a',
    erasureId: '00000000-0000-4000-8000-00000000000b',
    testLinkId: '00000000-0000-4000-8000-00000000000c',
    checkId: '00000000-0000-4000-8000-00000000000d',
    eventKeyId: unusedKeyId(of.eventKeyId),
    dataKeyId: unusedKeyId(of.dataKeyId),
  };
}

/** Calls a path as the gateway does. */
export async function callLinkage(
  linkage: RunningLinkage,
  { operatorId, roles }: OperatorCaller,
  { method, path, body }: { readonly method: string; readonly path: string; readonly body?: object },
): Promise<TextAnswer> {
  const response = await fetch(`${linkage.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await linkage.issuer.token(operatorId, { podium_roles: roles })}`,
      'x-podium-internal-token': linkage.internalToken,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

/** Gives an organizer two integrations, a contract, keys of both kinds, links, an erasure, a test link and an exchange. */
export async function seedSide(linkage: RunningLinkage, pool: Pool, name: 'a' | 'b'): Promise<Side> {
  const organizerId = `organizer-of-${name}`;
  const caller = callerOf({ organizerId }, ['admin']);
  const post = async (path: string, body: object): Promise<Record<string, string>> => {
    const answer = await callLinkage(linkage, caller, { method: 'POST', path: `/admin/v1${path}`, body });
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    return JSON.parse(answer.text) as Record<string, string>;
  };
  const integration = async (platform: string): Promise<string> => {
    const { integration_id: id } = await post('/integrations', {
      ...{ platform, partner: platform, organizer_id: organizerId, display_name: `partner-of-${name}` },
      ...{ authorization_url: 'https://partner.example/login', base_url: 'https://partner.example' },
      ...{ client_id: 'podium', client_secret: 'secret' },
    });
    return id;
  };
  const platform = freshName(`p-of-${name}`);
  const integrationId = await integration(platform);
  // So that lists have a second page.
  await integration(freshName(`q-of-${name}`));
  const attributes = [{ name: `value-of-${name}`, type: 'string' }];
  const contract = [{ name: 'deposit', kind: 'repeatable', attributes }];
  await post(`/integrations/${integrationId}/contracts`, { events: contract });
  const eventKey = await post(`/integrations/${integrationId}/keys`, {});
  const dataKey = { organizer_id: organizerId, scopes: [{ scope: 'data:read' }] };
  const { key_id: dataKeyId } = await post('/keys', { ...dataKey, name: `data-key-of-${name}` });
  await post('/keys', { ...dataKey, name: `other-data-key-of-${name}` });
  const userId = `user-of-${name}`;
  const linked = { integrationId, platform, organizerId };
  for (const user of [userId, `second-user-of-${name}`, 'shared-user']) await addLink(pool, linked, user, name);
  const erased = `erased-user-of-${name}`;
  await addLink(pool, linked, erased, name);
  const { erasure_id: erasureId } = await post('/erasures', { platform, user_id: erased });
  const { test_link_id: testLinkId } = await post(`/integrations/${integrationId}/test-links`, {});
  await pool.query(
    `INSERT INTO linkage.partner_exchanges (integration_id, at, failed, operation, detail, user_digest)
     VALUES ($1, now(), false, 'token', $2, $3)`,
    [integrationId, { nickname: `exchange-of-${name}` }, randomUUID()],
  );
  const checkId = await addCheck(pool, integrationId, caller.operatorId);
  const ids = [integrationId, eventKey.key_id, dataKeyId, erasureId, testLinkId, checkId];
  return {
    ...{
      organizerId,
      platform,
      integrationId,
      contract,
      eventKeyId: eventKey.key_id,
      dataKeyId,
      userId,
      erasureId,
      testLinkId,
      checkId,
    },
    ...{ furtherPlatform: freshName(`r-of-${name}`), marks: [`-of-${name}`, ...ids] },
  };
}

/** A check that found that linking works, and nothing to change. */
async function addCheck(pool: Pool, integrationId: string, startedBy: string): Promise<string> {
  const checkId = randomUUID();
  const fields = ['client_auth', 'client_id_in_body', 'pkce', 'scope'];
  const further = ['access_token_lifetime_s', 'revocation_url', 'prompt_consent'];
  const profile = Object.fromEntries([...fields, ...further].map((field) => [field, { observed: false }]));
  await pool.query(
    `INSERT INTO linkage.partner_checks (check_id, integration_id, integration_version, status, started_by, finished_at, report)
     SELECT $1, integration_id, version, 'finished', $3, now(), $4 FROM linkage.integrations WHERE integration_id = $2`,
    [checkId, integrationId, startedBy, { verdict: 'links', base_url: 'https://partner.example', profile }],
  );
  return checkId;
}

async function addLink(
  pool: Pool,
  { integrationId, platform, organizerId }: Pick<Side, 'integrationId' | 'platform' | 'organizerId'>,
  userId: string,
  name: string,
): Promise<void> {
  await pool.query(
    `INSERT INTO linkage.links (link_id, integration_id, platform, organizer_id, user_id, sub, nickname, state, linked_at,
       ready_at, version)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 'ready', now(), now(), 1)`,
    [randomUUID(), integrationId, platform, organizerId, userId, `sub-of-${name}-${userId}`, `nickname-of-${name}`],
  );
}

/** An id in the form of another key's. */
function unusedKeyId(keyId: string): string {
  return [...keyId]
    .map((letter) => (/[0-8a-y]/.test(letter) ? String.fromCharCode(letter.charCodeAt(0) + 1) : letter))
    .join('');
}
