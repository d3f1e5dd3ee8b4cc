import { inParallel } from './in-parallel';
import { HttpCase, HttpPlace } from './http/http-case';
import { httpCases } from './http/http-cases';
import { faultsOf } from './judge';
import { Paced } from './paced';
import { RawExchange, exchangeBytes } from './raw-client';
import { Tally } from './tally';
import { InputWorld } from './world';

const lanes = 32;
const quietMs = 400;
/** Where the connection must be closed: it is at once, unless the machine is busy. */
const closingMs = 5_000;
// Longer than any body or head may take.
const timeoutMs = 20_000;

/** A kind of route, with a right request for it. */
type Aim = () => Promise<HttpPlace>;

/** Writes each case as bytes to each kind of route. */
export async function sendHttp(world: InputWorld, tally: Tally, cases: readonly HttpCase[] = httpCases): Promise<void> {
  const { hostname: host, port, host: authority } = new URL(world.gatewayUrl);
  const work = aims(world, authority).flatMap((aim) => cases.map((each) => ({ aim, each })));
  await inParallel(work, lanes, async ({ aim, each }) => {
    const place = await aim();
    const bytes = each.bytes(place);
    const exchange = await exchangeBytes({ host, port: Number(port) }, bytes, {
      quietMs: mustClose(each) ? closingMs : quietMs,
      timeoutMs,
      isHead: isHead(bytes.toString('latin1')),
    });
    for (const { status } of exchange.answers) tally.count('http', status);
    if (exchange.answers.length === 0) tally.count('http', null);
    const request = bytes.toString('latin1');
    for (const fault of faultsOfExchange(exchange, each, { request, secrets: world.secrets }))
      tally.find('http', each.name, fault, {
        request: `${place.method} ${place.path}: ${JSON.stringify(request.slice(0, 500))}`,
        answer: exchange.answers.map(({ status, body }) => `${status} ${body.slice(0, 200)}`).join(' | '),
      });
  });
}

function faultsOfExchange(
  { answers, isClosed, rest }: RawExchange,
  each: HttpCase,
  asked: { request: string; secrets: readonly string[] },
): string[] {
  const { expect, maxAnswers = 1 } = each;
  const faults = answers.flatMap((answer) =>
    faultsOf(answer, { ...asked, shape: 'any', isHead: isHead(asked.request) }),
  );
  if (answers.length > maxAnswers) faults.push(`${answers.length} answers to ${maxAnswers} request`);
  if (answers.length === 0 && expect !== 'closed') faults.push('no answer');
  if (answers.length === 0 && !isClosed) faults.push('neither an answer nor an end');
  if (expect === 'refused' && answers.some(({ status }) => status < 400))
    faults.push(`${answers[0].status} instead of a refusal`);
  if (mustClose(each) && !isClosed) faults.push('no end of the connection');
  if (rest !== '') faults.push('bytes after the last answer');
  return faults;
}

function mustClose({ expect }: HttpCase): boolean {
  return expect === 'refused' || expect === 'ended';
}

function isHead(request: string): boolean {
  return request.startsWith('HEAD ');
}

function aims(world: InputWorld, host: string): Aim[] {
  const { victim, operatorToken, dataKey, showcase, partners } = world;
  const paced = new Paced(partners);
  const json = 'Content-Type: application/json';
  const fixed =
    (place: HttpPlace): Aim =>
    () =>
      Promise.resolve(place);
  const get = { method: 'GET', host, body: '' };
  const post = { method: 'POST', host, body: '{}' };
  return [
    async () => {
      const partner = await paced.next();
      const headers = [`Authorization: Bearer ${partner.keys[0]}`, json];
      return { ...post, path: '/cdp/v1/users/events/send', headers };
    },
    fixed({
      ...get,
      path: `/data/v4/players/${showcase.player.id}`,
      headers: [`Authorization: Bearer ${dataKey}`],
    }),
    fixed({ ...post, path: '/admin/v1/tasks', headers: [`Authorization: Bearer ${operatorToken}`, json] }),
    fixed({ ...get, path: '/v1/me/links', headers: [`Authorization: Bearer ${victim.users[0].token}`] }),
    fixed({ ...get, path: '/connect', headers: [] }),
    fixed({ ...get, path: '/docs', headers: [] }),
  ];
}
