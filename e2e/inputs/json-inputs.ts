import { randomUUID } from 'node:crypto';
import { PartnerUnderTest } from '../support/partner-under-test';
import { inParallel } from './in-parallel';
import { JsonCase, jsonCases } from './json/json-cases';
import { Paced } from './paced';
import { InputRequest, Sender } from './sender';
import { InputEnvironment } from './input-environment';

const lanes = 16;
const eventPath = '/cdp/v1/users/events/send';
const batchPath = '/cdp/v1/users/events/batch';
const validationPath = '/cdp/v1/users/events/validate';
const refused = new Set([400]);
const refusedAlone = new Set([207, 400, 413]);
const takenOrRefused = new Set([200, 400, 413]);
const reported = new Set([200, 413]);

/**
 * Sends each text as a body, as an ignored field, as an event of a batch and as the ids of an event to validate, to the event
 * endpoints and to other endpoints that accept JSON.
 */
export async function sendJson(world: InputEnvironment, sender: Sender): Promise<void> {
  const paced = new Paced(world.partners);
  await inParallel(jsonCases, lanes, async (each) => {
    await sender.send(whole(each, await paced.next()));
    await sender.send(field(each, await paced.next()));
    await sender.send(element(each, await paced.next()));
    await sender.send(ids(each, await paced.next()));
    await sender.send(atUsersEdge(each, world));
    await sender.send(atOperatorsEdge(each, world));
  });
}

/** The text is the whole body: it is never a valid event. */
function whole({ text }: JsonCase, partner: PartnerUnderTest): InputRequest {
  return eventRequest('a text as a body', text, partner, new Set([400, 413]));
}

/** The text is an ignored field: the event is accepted only if the whole body is valid JSON. */
function field({ text, is }: JsonCase, partner: PartnerUnderTest): InputRequest {
  const event = { id: randomUUID(), name: 'deposit', created_at: 1_700_000_000 };
  const [user] = partner.users;
  const fields = JSON.stringify({ platform: partner.platform, platform_user_id: user.platformUserId, event });
  const body = Buffer.concat([Buffer.from(`${fields.slice(0, -1)},"ignored":`), text, Buffer.from('}')]);
  return eventRequest('a text as a field', body, partner, is === 'invalid' ? refused : takenOrRefused);
}

/** The text is an event of a batch: it is never a valid one, and nothing that it contains makes the batch succeed. */
function element({ text }: JsonCase, partner: PartnerUnderTest): InputRequest {
  const body = Buffer.concat([Buffer.from('{"events":['), text, Buffer.from(']}')]);
  return { ...eventRequest('a text as an event of a batch', body, partner, refusedAlone), path: batchPath };
}

/** The text is an id in all places of an event that is only checked: a refusal of one does not keep the stores from being asked. */
function ids({ text }: JsonCase, partner: PartnerUnderTest): InputRequest {
  const [open, user, id, end] = [
    `{"platform":${JSON.stringify(partner.platform)},"platform_user_id":`,
    ',"event":{"name":"deposit","created_at":1700000000,"id":',
    ',"attributes":[{"name":"amount","value":"1"},{"name":',
    ',"value":"1"}]}}',
  ].map((part) => Buffer.from(part));
  const body = Buffer.concat([open, text, user, text, id, text, end]);
  return { ...eventRequest('a text as the ids of an event', body, partner, reported), path: validationPath };
}

function eventRequest(
  place: string,
  body: Buffer,
  partner: PartnerUnderTest,
  statuses: ReadonlySet<number>,
): InputRequest {
  return {
    kind: 'json',
    place,
    method: 'POST',
    path: eventPath,
    headers: { authorization: `Bearer ${partner.keys[0]}`, 'content-type': 'application/json' },
    body,
    shape: 'plain',
    statuses,
  };
}

function atUsersEdge({ text }: JsonCase, { victim }: InputEnvironment): InputRequest {
  return {
    ...atEdge(text, victim.users[0].token),
    place: 'a text to a user’s edge',
    path: `/v1/me/links/${victim.integrationId}/start`,
  };
}

function atOperatorsEdge({ text }: JsonCase, { operatorToken }: InputEnvironment): InputRequest {
  return { ...atEdge(text, operatorToken), place: 'a text to an operators’ edge', path: '/admin/v1/tasks' };
}

function atEdge(body: Buffer, token: string): Omit<InputRequest, 'place' | 'path'> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return { kind: 'json', method: 'POST', headers, body, shape: 'plain' };
}
