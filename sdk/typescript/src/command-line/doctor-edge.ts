import * as fs from 'node:fs';
import { headersOf } from '../api/event-key';
import { parsed } from '../api/events-api';
import { HttpAnswer, HttpTransport } from '../api/http-transport';
import { errorOfAnswer } from '../api/parse-answer';
import type { Contract, EventReport, RefusedEventsPage } from '../api/partner-reads-api';
import { NoAnswerError, PodiumError } from '../errors/podium-error';
import { fixes } from './describe-error';
import { Finding, ok, problem, skipped, warning } from './doctor-finding';
import { EdgeAccess, userAgent } from './edge-access';
import { printable } from './printable';

const timeoutMs = 10_000;
/** Podium refuses events that are further in the future, s. */
const futureLimitS = 300;
const clockToleranceS = 5;
const dayMs = 86_400_000;

/** An answer, with the time on this machine when it was given, and how long it took. */
interface Timed {
  readonly answer: HttpAnswer;
  readonly atMs: number;
  readonly tookMs: number;
}

/** What Podium's answers say: of the key, the clock, the rate, the contract, and of events that it refused. */
export async function edgeFindings(access: EdgeAccess): Promise<Finding[]> {
  const { addresses, platform, types } = access;
  const transport = new HttpTransport(access.proxy);
  const ask = (url: URL, body?: string): Promise<Timed> => timed(transport, access, url, body);
  try {
    const first = await ask(addresses.contract);
    const contract = valueOf<Contract>(first.answer, 'platform');
    if (!contract) {
      const error = errorOf(first.answer, access);
      const clock = error.code === 'unexpected_response' ? [] : [clockFinding(first)];
      if (error.code !== 'forbidden') return [keyProblem(error, first.answer), ...clock];
      const fix = 'Ask Podium for a key with the scope events:read, to read the contract and ask for refused events.';
      const cannotRead = warning('key', 'It works, and cannot read: it has no scope events:read.', fix);
      return [cannotRead, sendingFinding(await ask(addresses.validate, '{}'), access), ...clock];
    }
    // The second question finds an open connection.
    const sending = await ask(addresses.validate, '{}');
    const refusals = await ask(addresses.refusals);
    return [
      keyFinding(contract, platform),
      sendingFinding(sending, access),
      clockFinding(first),
      rateFinding(contract, [first, sending]),
      contractFinding(contract),
      ...types.map((file) => typesFinding(file, contract)),
      refusalsFinding(refusals.answer, first.atMs),
    ];
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    return [
      problem('key', error.message, 'Run the command again. If it stays so, look at proxies between here and Podium.'),
    ];
  } finally {
    transport.close();
  }
}

async function timed(transport: HttpTransport, { key }: EdgeAccess, url: URL, body?: string): Promise<Timed> {
  const headers = headersOf(() => key, userAgent);
  if (headers instanceof PodiumError) throw headers;
  const startedMs = Date.now();
  const answer = await transport.call({ url, headers, body, timeoutMs }).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NoAnswerError({ code: 'no_response', message: `No answer to ${url.pathname}: ${reason}.`, cause });
  });
  const tookMs = Date.now() - startedMs;
  return { answer, atMs: startedMs + tookMs / 2, tookMs };
}

/** The body of a success that has a field; a proxy may answer 200 as well. */
function valueOf<T extends object>(answer: HttpAnswer, field: keyof T & string): T | undefined {
  const body = answer.status === 200 ? parsed(answer.body) : undefined;
  return typeof body === 'object' && body !== null && field in body ? (body as T) : undefined;
}

function errorOf({ status, body, headers }: HttpAnswer, { addresses }: EdgeAccess): PodiumError {
  const requestId = headers['x-request-id'];
  const given = { status, body: parsed(body), ...(typeof requestId === 'string' && { requestId }) };
  return errorOfAnswer(given, addresses.docsUrl);
}

function keyProblem({ code, message, retry, requestId }: PodiumError, { headers }: HttpAnswer): Finding {
  const id = requestId === undefined ? '' : ` Request id: ${requestId}.`;
  const said = `${code}: ${printable(message)}${id}`;
  if (code === 'unauthorized')
    return problem(
      'key',
      said,
      'Set the event key of this address: a replaced key ends, and test and production have their own.',
    );
  if (headers.location !== undefined)
    return problem(
      'key',
      `${said} It redirects to ${printable(headers.location)}.`,
      'Use the address that you were given.',
    );
  if (code === 'unexpected_response')
    return problem(
      'key',
      said,
      'Check the address: something else than Podium answers there, such as a proxy of your network.',
    );
  if (retry === 'now')
    return problem('key', said, 'Podium does not answer for the moment: run the command again in a minute.');
  return problem('key', said, fixes[retry]);
}

function keyFinding({ platform }: Contract, configured: string | undefined): Finding {
  if (configured === undefined || configured === platform)
    return ok('key', `It belongs to the platform ${printable(platform)}.`);
  return problem(
    'key',
    `It belongs to the platform ${printable(platform)}, the configuration names ${printable(configured)}.`,
    'Use the key of your platform, or write the configuration again with podium-partner init --force.',
  );
}

function sendingFinding({ answer }: Timed, access: EdgeAccess): Finding {
  if (valueOf<EventReport>(answer, 'problems')) return ok('sending', 'The key can send events.');
  const error = errorOf(answer, access);
  if (error.code === 'forbidden')
    return problem(
      'sending',
      'The key cannot send: it has no scope events:send.',
      'Ask Podium for a key that can send.',
    );
  return warning('sending', `It is not known: ${error.code}: ${printable(error.message)}`, fixes[error.retry]);
}

function clockFinding({ answer, atMs, tookMs }: Timed): Finding {
  const serverMs = Date.parse(answer.headers.date ?? '');
  if (Number.isNaN(serverMs)) return skipped('clock', 'The answer has no date to compare with.');
  // The header has whole seconds.
  const aheadS = (atMs - (serverMs + 500)) / 1000;
  const offS = Math.max(0, Math.abs(aheadS) - 0.5 - tookMs / 2000);
  if (offS <= clockToleranceS) return ok('clock', `It agrees with Podium's to ${clockToleranceS} s.`);
  const message = `The clock of this machine is ${Math.round(Math.abs(aheadS))} s ${aheadS > 0 ? 'ahead of' : 'behind'} Podium's.`;
  const fix = 'Synchronize it (NTP). created_at of events decides what they count for.';
  return aheadS > futureLimitS
    ? problem('clock', `${message} Events in the future are refused.`, fix)
    : warning('clock', message, fix);
}

function rateFinding({ rate_per_second: rate, max_batch: maxBatch }: Contract, given: readonly Timed[]): Finding {
  const tookMs = Math.min(...given.map((each) => each.tookMs));
  const message = `${rate} events per second, ${maxBatch} in a batch; an answer takes ${tookMs} ms.`;
  if (given.every(({ answer }) => answer.headers['ratelimit-limit'] === undefined))
    return warning(
      'rate',
      `${message} Answers have no header RateLimit-Limit.`,
      'A proxy of your network removes it: let it pass, so that the SDK follows your rate.',
    );
  const singles = Math.floor(1000 / Math.max(1, tookMs));
  const hint =
    singles < rate ? ` One request after the other sends ${singles} per second: use enqueue, or batches.` : '';
  return ok('rate', message + hint);
}

function contractFinding({ in_force: inForce, upcoming }: Contract): Finding {
  const next = upcoming.at(0);
  const later = next ? ` Version ${next.version} follows on ${next.in_force_from}.` : '';
  if (inForce) return ok('contract', `Version ${inForce.version} with ${inForce.events.length} event names.${later}`);
  const fix = 'Ask Podium to publish your contract, or wait until it is in force.';
  return problem('contract', `Nothing is in force: every event is refused.${later}`, fix);
}

function typesFinding(file: string, { in_force: inForce }: Contract): Finding {
  const fix = `Run podium-partner types --out ${file}`;
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    return warning('types', `${file} cannot be read: ${(error as Error).message}`, fix);
  }
  const version = /^(?:export const contractVersion|CONTRACT_VERSION) = (\d+)/m.exec(text)?.[1];
  if (version === undefined) return warning('types', `${file} was not written by podium-partner types.`, fix);
  if (inForce === null || version === String(inForce.version)) return ok('types', `${file} is of version ${version}.`);
  return warning(
    'types',
    `${file} is of version ${version}, in force is ${inForce.version}.`,
    `${fix} and compile again.`,
  );
}

function refusalsFinding(answer: HttpAnswer, nowMs: number): Finding {
  const page = valueOf<RefusedEventsPage>(answer, 'items');
  if (!page) return skipped('refusals', 'They could not be read.');
  const recent = page.items.filter((each) => nowMs - Date.parse(each.last_at) < dayMs);
  if (recent.length === 0) return ok('refusals', 'No event was refused in the last 24 hours.');
  const codes = [...new Set(recent.map(({ code }) => printable(code)))].join(', ');
  const count = `${recent.length}${page.next_cursor === null ? '' : ' or more'}`;
  return warning(
    'refusals',
    `Refused events of the last 24 hours: ${count} (${codes}).`,
    'Run podium-partner refusals.',
  );
}
