import * as fc from 'fast-check';
import { hostileText, spoiledBytes } from './hostile';
import { Operation, Parameter } from './open-api';
import { Samples, valuesOf } from './schema-values';
import { InputRequest } from './sender';

/** Valid and invalid credentials of a caller. */
export interface Credentials {
  readonly right: readonly string[];
  readonly wrong: readonly string[];
}

/** Requests of an operation: mostly valid according to its document, mixed with typical client errors. */
export function requestsOf(
  operation: Operation,
  { samples, credentials }: { samples: Samples; credentials: Credentials },
): fc.Arbitrary<InputRequest> {
  const source = { resolve: operation.resolve, samples };
  const paths = pathsOf(operation, samples);
  const queries = fc
    .array(queryPairs(operation, samples), { maxLength: 5 })
    .map((pairs) => new URLSearchParams(pairs).toString());
  const authorization = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...credentials.right) },
    { weight: 1, arbitrary: fc.constantFrom(...credentials.wrong) },
  );
  const bodies = operation.body ? bodiesOf(valuesOf(operation.body, source)) : fc.constant(undefined);
  const mediaType = fc.oneof(
    { weight: 25, arbitrary: fc.constant('application/json') },
    fc.constantFrom(
      'application/json; charset=utf-8',
      'text/plain',
      'application/json; charset=latin1',
      'application/xml',
      '',
    ),
  );
  return fc
    .tuple(paths, queries, authorization, bodies, mediaType, extraHeaders)
    .map(([path, query, authorizationHeader, body, type, extra]): InputRequest => ({
      kind: operation.document,
      place: operation.id,
      method: operation.method,
      path: query === '' ? path : `${path}?${query}`,
      headers: {
        ...extra,
        ...(authorizationHeader !== '' && { authorization: authorizationHeader }),
        ...(body !== undefined && type !== '' && { 'content-type': type }),
      },
      body,
      shape: operation.shape,
      statuses: operation.statuses,
    }));
}

function pathsOf(operation: Operation, samples: Samples): fc.Arbitrary<string> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const args = names.map((name) => {
    const known = samples[`${operation.id}.${name}`] ?? samples[name] ?? [];
    const real = known.length > 0 ? fc.constantFrom(...known) : fc.uuid();
    // An empty segment or one of dots would change the path.
    const other = hostileText.filter((text) => !/^\.{0,2}$/.test(text));
    return fc.oneof({ weight: 6, arbitrary: real }, fc.uuid(), other);
  });
  return fc.tuple(...args).map((values) => {
    let at = 0;
    return operation.path.replace(/\{\w+\}/g, () => encoded(values[at++]));
  });
}

function queryPairs(operation: Operation, samples: Samples): fc.Arbitrary<[string, string]> {
  const declared = operation.parameters.filter((parameter) => parameter.in === 'query');
  const undeclared = fc.tuple(fc.constantFrom('x', '__proto__', 'limit', 'cursor', 'offset'), hostileText);
  return fc.oneof(...declared.map((parameter) => pairs(parameter, operation, samples)), undeclared);
}

function pairs(parameter: Parameter, operation: Operation, samples: Samples): fc.Arbitrary<[string, string]> {
  const values = valuesOf(parameter.schema, { resolve: operation.resolve, samples }, parameter.name);
  const texts = values.map((value) => (typeof value === 'object' ? JSON.stringify(value) : String(value)));
  return fc.tuple(fc.constant(parameter.name), fc.oneof({ weight: 3, arbitrary: texts }, hostileText));
}

function bodiesOf(values: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> {
  const texts = values.map((value) => Buffer.from(JSON.stringify(value) ?? ''));
  const spoiled = fc.tuple(texts, spoiledBytes).map(([body, spoil]) => spoil(body));
  return fc.oneof({ weight: 8, arbitrary: texts }, { weight: 1, arbitrary: spoiled });
}

const headerText = hostileText.map((text) => text.replace(/[^\x20-\x7e]/g, '~').trim());
const extraHeaders = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  fc.dictionary(
    fc.constantFrom(
      'accept',
      'accept-language',
      'x-request-id',
      'if-none-match',
      'range',
      'cookie',
      'x-forwarded-for',
      'content-encoding',
      'origin',
      'traceparent',
      'x-podium-scopes',
    ),
    headerText,
    { maxKeys: 3, noNullPrototype: true },
  ),
);

/** Percent-encodes a text; unpaired surrogates become bytes that are not UTF-8. */
function encoded(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';
}
