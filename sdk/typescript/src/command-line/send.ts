import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { EventsApi } from '../api/events-api';
import { AcceptedEvent } from '../api/parse-answer';
import { EncodedEvent, encodeEvent, platformOf as platformIn } from '../api/partner-event';
import { PartnerReadsApi } from '../api/partner-reads-api';
import { PodiumError } from '../errors/podium-error';
import { RetryClass } from '../errors/retry-class';
import { systemClock } from '../pacing/clock';
import { RatePacer } from '../pacing/rate-pacer';
import { unixSecondsOf } from './csv-mapping';
import { describeError, fixes, waitNote } from './describe-error';
import {
  EdgeOptions,
  edgeAccessOf,
  edgeHelp,
  platformOf,
  questionsOf,
  requireFile,
  userAgent,
  withEdge,
} from './edge-access';
import { EventBody, bodyOfJson } from './event-body';
import { askPatiently } from './patient-question';
import { printable } from './printable';
import { Terminal, UsageError } from './terminal';

interface Options extends EdgeOptions {
  readonly id?: string;
  readonly user?: string;
  readonly name?: string;
  readonly createdAt?: string;
  readonly attribute: readonly string[];
  readonly platform?: string;
  readonly json?: boolean;
}

const exitCodes: Readonly<Record<RetryClass, number>> = { never: 1, now: 3, later: 4, pause: 5 };
const [patienceMs, timeoutMs, eventsPerSecond] = [60_000, 10_000, 40];

const help = `
What it does: sends one event and prints the answer. While Podium is unavailable the event is sent again for up to a minute.

FILE, or the standard input with -, is the body of the event as the API takes it; a platform that is missing is added. Without
FILE the event comes from the options. The same id never counts twice.

Exit codes: 0 accepted, or accepted before; 1 refused for good, correct the event; 2 wrong usage; 3 no answer, send it again;
4 not yet, the user is not linked or the name not negotiated; 5 nothing can be sent, see podium-partner doctor.
${edgeHelp}

Examples:
  $ npx --no podium-partner send --id deposit-93f1 --user user-1 --name deposit --attribute amount=25.00 --attribute currency=EUR
  $ npx --no podium-partner send event.json
  $ my-shop export --last | npx --no podium-partner send - --json`;

/** `send [file]`; `end` gets the exit code. */
export function sendCommand(terminal: Terminal, end: (exitCode: number) => void): Command {
  return withEdge(new Command('send').description('send one event, and show the answer'))
    .argument('[file]', 'the event as JSON, - for the standard input')
    .option('--id <id>', 'unique per distinct event, the same for every retry')
    .option('--user <id>', 'the user at your platform, the field sub of your user info')
    .option('--name <name>', 'a negotiated name')
    .option('--created-at <time>', 'when it happened: Unix seconds, or 2026-01-31T12:00:00Z; by default now')
    .option('--attribute <name=value>', 'a negotiated attribute; may be repeated', collect, [])
    .option('--platform <name>', 'the name of your platform; by default that of the configuration or the key')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', help)
    .action(async (file: string | undefined, options: Options) => {
      const access = edgeAccessOf(options, terminal);
      const reads = new PartnerReadsApi(questionsOf(access));
      const api = new EventsApi({
        ...{ ...questionsOf(access), userAgent, timeoutMs },
        pacer: new RatePacer(systemClock, eventsPerSecond),
      });
      try {
        const platform = options.platform ?? (() => platformOf(access, reads));
        const event =
          file === undefined ? await eventOfOptions(options, platform) : await eventOfFile(file, platform, terminal);
        const result = await sendPatiently(api, event, terminal);
        terminal.out(options.json ? `${JSON.stringify(jsonOf(result))}\n` : describeAccepted(result));
        end(0);
      } catch (error) {
        if (!(error instanceof PodiumError)) throw error;
        if (options.json) terminal.out(`${JSON.stringify(jsonOf(error))}\n`);
        else terminal.err(`${describeError(error)}\nRetry class: ${error.retry}. ${fixes[error.retry]}\n`);
        end(exitCodes[error.retry]);
      } finally {
        reads.close();
        api.close();
      }
    });
}

/** A platform that is given, or found out when an event needs it. */
type Platform = string | (() => Promise<string>);

/** For an option that may be repeated. */
export function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

function sendPatiently(api: EventsApi, event: EncodedEvent, terminal: Terminal): Promise<AcceptedEvent> {
  const once = async (): Promise<AcceptedEvent> => {
    const result = await api.send(event);
    if (!result.ok) throw result.error;
    return result;
  };
  return askPatiently(once, {
    ...{ clock: systemClock, patienceMs },
    onWait: (error, waitMs) => terminal.err(`${waitNote(error, waitMs)}\n`),
  });
}

async function eventOfOptions(options: Options, platform: Platform): Promise<EncodedEvent> {
  const { id, user, name, createdAt, attribute } = options;
  if (!id || !user || !name) throw new UsageError('Give --id, --user and --name, or the event as a file.');
  const seconds = createdAt === undefined ? Math.floor(Date.now() / 1000) : unixSecondsOf(createdAt);
  if (seconds === undefined)
    throw new UsageError(`--created-at ${createdAt}: must be Unix seconds, or a time such as 2026-01-31T12:00:00Z.`);
  const attributes = Object.fromEntries(attribute.map(pairOf));
  return encodeEvent(await known(platform), { id, platformUserId: user, name, createdAt: seconds, attributes });
}

async function eventOfFile(file: string, platform: Platform, terminal: Terminal): Promise<EncodedEvent> {
  const text = file === '-' ? await terminal.readStdin() : readText(file);
  const bodyWith = (missing: string): EventBody => bodyOfJson(text, { platform: missing, deriveIds: false });
  let body = bodyWith('');
  // Known only by a request, where the configuration has none; most events have it.
  if ('event' in body && platformIn(body.event) === '') body = bodyWith(await known(platform));
  if ('event' in body) return body.event;
  throw new UsageError(`${file === '-' ? 'The standard input' : file}: ${body.problem.message}`);
}

async function known(platform: Platform): Promise<string> {
  return typeof platform === 'string' ? platform : platform();
}

/** The text of a file; throws UsageError. */
export function readText(file: string): string {
  requireFile(file);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function pairOf(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`--attribute ${text}: must be <name>=<value>.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function describeAccepted({ eventId, outcome, droppedAttributes, warnings }: AcceptedEvent): string {
  const lines = [`${outcome} ${printable(eventId)}`];
  if (outcome === 'duplicate') lines.push('An event with this id was accepted before; nothing has changed.');
  if (droppedAttributes.length > 0)
    lines.push(`Not negotiated and left out: ${droppedAttributes.map(printable).join(', ')}`);
  lines.push(...warnings.map((warning) => `Warning: ${printable(JSON.stringify(warning))}`));
  return `${lines.join('\n')}\n`;
}

function jsonOf(result: AcceptedEvent | PodiumError): object {
  if (!(result instanceof PodiumError)) {
    const { eventId, outcome, droppedAttributes, warnings } = result;
    return { outcome, event_id: eventId, dropped_attributes: droppedAttributes, warnings };
  }
  const { code, message, status, retry, retryAfterMs, requestId, docsUrl } = result;
  const error = { code, message, retry, retry_after_ms: retryAfterMs, request_id: requestId, docs_url: docsUrl };
  return { status, error: { ...error, fix: fixes[retry] } };
}
