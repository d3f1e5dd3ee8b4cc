import * as fc from 'fast-check';
import { inParallel } from './in-parallel';
import { DocumentName, documentNames, operationsOf } from './open-api';
import { Paced } from './paced';
import { Credentials, requestsOf } from './random-requests';
import { Samples } from './schema-values';
import { InputRequest, Sender } from './sender';
import { InputEnvironment, samplesOfCompetition, samplesOfPartner, samplesOfVictim } from './input-environment';

/** The percentage of requests for each document. */
const shares: Readonly<Record<DocumentName, number>> = {
  'partner-events': 35,
  'me-links': 10,
  operators: 20,
  'competition-data': 35,
};

/** Questions about event ids have a lower rate of their own, 4 per second. */
const eventsPerQuestion = 10;

const lanes = 32;
/** The maximum number of values sampled at once: each sampling builds the arbitrary again. */
const maxDrawn = 200;

/** Sends requests generated from the OpenAPI documents, distributed over all operations. */
export async function sendDocumented(
  world: InputEnvironment,
  sender: Sender,
  options: { requests: number; seed: number; onProgress: (sent: number) => void },
): Promise<void> {
  let sent = 0;
  const send = async (request: InputRequest): Promise<void> => {
    await sender.send(request);
    options.onProgress(++sent);
  };
  await Promise.all(
    documentNames.map((name, at) => {
      const count = Math.round((options.requests * shares[name]) / 100);
      const requests =
        name === 'partner-events'
          ? eventRequests(world, count, options.seed + at)
          : requestsOfDocument(world, { name, count }, options.seed + at);
      return inParallel(first(count, requests), Math.ceil((lanes * shares[name]) / 100), send);
    }),
  );
}

/** Events of all partners in rotation, each partner within its rate limit. */
async function* eventRequests(
  { partners }: InputEnvironment,
  count: number,
  seed: number,
): AsyncGenerator<InputRequest> {
  const drawn = drawnOf(count / partners.length);
  const others = new Paced(
    partners.map((partner, at) => {
      const credentials = credentialsOf(partner.keys.map((key) => `Bearer ${key}`));
      const samples = samplesOfPartner(partner);
      const requests = fc.oneof(
        ...operationsOf('partner-events').map((operation) => ({
          arbitrary: requestsOf(operation, { samples, credentials }),
          weight: /\/(reconcile|status)$/.test(operation.path) ? 1 : eventsPerQuestion,
        })),
      );
      return endless(requests, drawn, seed + at);
    }),
  );
  for (;;) yield (await others.next()).next().value as InputRequest;
}

/** Requests to all operations of a document in rotation. */
async function* requestsOfDocument(
  world: InputEnvironment,
  { name, count }: { name: DocumentName; count: number },
  seed: number,
): AsyncGenerator<InputRequest> {
  const { samples, credentials } = samplesAndCredentialsOf(world, name);
  const operations = operationsOf(name);
  const drawn = drawnOf(count / operations.length);
  const requests = operations.map((operation, at) =>
    endless(requestsOf(operation, { samples, credentials }), drawn, seed + at),
  );
  for (let turn = 0; ; turn++) yield requests[turn % requests.length].next().value as InputRequest;
}

function samplesAndCredentialsOf(
  world: InputEnvironment,
  name: DocumentName,
): { samples: Samples; credentials: Credentials } {
  const { victim, operatorToken, dataKey } = world;
  if (name === 'competition-data')
    return { samples: samplesOfCompetition(world), credentials: credentialsOf([`Bearer ${dataKey}`]) };
  const right = name === 'operators' ? [operatorToken] : victim.users.map(({ token }) => token);
  return { samples: samplesOfVictim(world), credentials: credentialsOf(right.map((token) => `Bearer ${token}`)) };
}

function credentialsOf(right: readonly string[]): Credentials {
  const [first] = right;
  return {
    right,
    wrong: ['', 'Bearer', 'Bearer x', 'Basic eDp4', first.slice(0, -1), `${first}x`, first.toLowerCase()],
  };
}

function drawnOf(needed: number): number {
  return Math.min(maxDrawn, Math.max(1, Math.ceil(needed)));
}

function* endless<T>(values: fc.Arbitrary<T>, drawn: number, seed: number): Generator<T> {
  for (let round = 0; ; round++) yield* fc.sample(values, { numRuns: drawn, seed: seed + 7_919 * round });
}

async function* first<T>(count: number, items: AsyncGenerator<T>): AsyncGenerator<T> {
  for (let taken = 0; taken < count; taken++) yield (await items.next()).value as T;
}
