import { inParallel } from './in-parallel';
import { HttpCase, HttpPlace } from './http/http-case';
import { httpCases } from './http/http-cases';
import { faultsOf } from './response-checks';
import { Paced } from './paced';
import { RawExchange, exchangeBytes } from './raw-client';
import { Tally } from './tally';
import { InputEnvironment } from './input-environment';

const lanes = 32;
const quietMs = 400;
/** The time for the server to close a connection; it closes at once, unless the machine is busy. */
const closingMs = 5_000;
// Longer than the service's timeouts for a head and a body.
const timeoutMs = 20_000;

/** Returns a kind of route with a valid request for it. */
type RouteTarget = () => Promise<HttpPlace>;

/** Writes the bytes of each case to each kind of route. */
export async function sendHttp(
  world: InputEnvironment,
  tally: Tally,
  cases: readonly HttpCase[] = httpCases,
): Promise<void> {
  const { hostname: host, port, host: authority } = new URL(world.gatewayUrl);
  const work = routeTargets(world, authority).flatMap((target) => cases.map((each) => ({ target, each })));
  await inParallel(work, lanes, async ({ target, each }) => {
    const place = await target();
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
  if (answers.length === 0 && expect !== 'closed') faults.push('no response');
  if (answers.length === 0 && !isClosed) faults.push('neither a response nor a closed connection');
  if (expect === 'refused' && answers.some(({ status }) => status < 400))
    faults.push(`${answers[0].status} instead of a refusal`);
  if (mustClose(each) && !isClosed) faults.push('the connection was not closed');
  if (rest !== '') faults.push('bytes after the last response');
  return faults;
}

function mustClose({ expect }: HttpCase): boolean {
  return expect === 'refused' || expect === 'ended';
}

function isHead(request: string): boolean {
  return request.startsWith('HEAD ');
}

function routeTargets(world: InputEnvironment, host: string): RouteTarget[] {
  const { victim, operatorToken, dataKey, showcase, partners } = world;
  const paced = new Paced(partners);
  const json = 'Content-Type: application/json';
  const fixed =
    (place: HttpPlace): RouteTarget =>
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
