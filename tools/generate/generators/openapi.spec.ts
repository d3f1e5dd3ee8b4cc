import { readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import Ajv, { ValidateFunction } from 'ajv';
import { ErrorCode, bodyErrors, edgeErrors, errorCatalogue } from '../../../libs/messages/src';
import { openApi } from './openapi';

interface Property {
  readonly nullable?: boolean;
  readonly oneOf?: readonly Property[];
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties?: Readonly<Record<string, Property>> }>>;
    readonly responses?: object;
  };
}

const root = resolve(__dirname, '../../..');
const names = ['partner-events', 'operators', 'me-links', 'competition-data'] as const;
type Name = (typeof names)[number];

/** Code of the edge and of services, with the document whose operations it serves. */
const answering: readonly (readonly [folder: string, name: Name])[] = [
  ...names.flatMap((name) => [
    ...['http', 'limits', 'proxy', 'server'].map((folder) => [`apps/gateway/src/${folder}`, name] as const),
  ]),
  ['apps/gateway/src/events', 'partner-events'],
  ['apps/gateway/src/event-ids', 'partner-events'],
  ['apps/engagement/src/reconcile', 'partner-events'],
  ['apps/ingestion/src/admission', 'partner-events'],
  ['apps/gateway/src/partner-reads', 'partner-events'],
  ['apps/ingestion/src/partner-reads', 'partner-events'],
  ['apps/gateway/src/data', 'competition-data'],
  ['apps/competition-read/src', 'competition-data'],
  ['apps/engagement/src', 'operators'],
  ['apps/linkage/src', 'operators'],
  ['apps/linkage/src/links', 'me-links'],
  ['libs/runtime/src/http', 'operators'],
];

/** Errors that no operation of a document returns: for a method that none has, and for users of what operators have paused. */
const isToOthers = (code: ErrorCode, name: Name): boolean =>
  code === 'method_not_allowed' || (code === 'integration_paused' && name === 'operators');

let documents: Map<string, Document>;

beforeAll(async () => {
  documents = new Map((await openApi()).map(({ path, content }) => [path, JSON.parse(content) as Document]));
});

describe('errors in the OpenAPI documents', () => {
  const operationsOf = (name: string) => {
    const document = documents.get(`docs/openapi/${name}.json`);
    if (!document) throw new Error(`there is no document ${name}`);
    return Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { responses }]) => ({
        operation: `${method} ${path}`,
        changes: method !== 'get',
        statuses: Object.keys(responses).map(Number),
      })),
    );
  };

  it('cover these documents', () => {
    expect([...documents.keys()].sort()).toEqual(names.map((name) => `docs/openapi/${name}.json`).sort());
  });

  it.each(names)('%s lists the errors of the edge at every operation', (name) => {
    const missing = operationsOf(name).flatMap(({ operation, changes, statuses }) =>
      [...edgeErrors, ...(changes ? bodyErrors : [])]
        .filter((code) => !statuses.includes(errorCatalogue[code].status))
        .map((code) => `${operation}: ${code}`),
    );
    expect(missing).toEqual([]);
  });

  it.each(answering)('lists every error code that %s returns, in %s', (folder, name) => {
    const { paths, components } = documents.get(`docs/openapi/${name}.json`)!;
    const responses = Object.values(paths).flatMap((item) =>
      Object.values(item).map((operation) => operation.responses),
    );
    const listed = exampleCodes([responses, components.responses]);
    const codes = codesIn(resolve(root, folder)).filter((code) => !isToOthers(code, name));
    const codeIn = (code: ErrorCode): string => (name === 'competition-data' ? errorCatalogue[code].dataCode : code);
    expect(codes.filter((code) => !listed.has(codeIn(code)))).toEqual([]);
  });

  it('finds codes in the sources', () => {
    expect(codesIn(resolve(root, 'apps/gateway/src/server'))).toEqual(
      expect.arrayContaining(['headers_too_large', 'request_timeout', 'invalid_request']),
    );
  });
});

describe('the error catalogue', () => {
  it('has no code that nothing answers with', () => {
    const apps = ['gateway', 'ingestion', 'linkage', 'engagement', 'competition-read'].map((app) => `apps/${app}/src`);
    const answered = new Set([...apps, 'libs/runtime/src'].flatMap((folder) => codesIn(resolve(root, folder))));
    expect(Object.keys(errorCatalogue).filter((code) => !answered.has(code as ErrorCode))).toEqual([]);
  });
});

describe('what a strict client takes by the OpenAPI documents', () => {
  /** A validator of a schema that keeps to OpenAPI 3.0: `nullable` adds null to the type beside it and to nothing else. */
  const validatorOf = (name: Name, pointer: string): ValidateFunction => {
    const document = documents.get(`docs/openapi/${name}.json`);
    if (!document) throw new Error(`there is no document ${name}`);
    const ajv = new Ajv({ strict: false, validateFormats: false });
    ajv.addSchema({ ...document, $id: name });
    return ajv.compile({ $ref: `${name}#/components/schemas/${pointer}` });
  };
  const link = {
    ...{ link_id: 'b2f3c1de-6a53-4c1b-9d0c-5a3a3e1f8c77', state: 'ready', nickname: 'kim', refreshable: true },
    ...{ problem: null, linked_at: '2026-01-15T12:00:00.000Z', ready_at: null },
  };
  const partner = { integration_id: link.link_id, platform: 'acme', display_name: 'Acme', link: null };
  const accepted = { outcome: 'accepted', event_id: 'e-1', dropped_attributes: [] };
  const contract = { platform: 'acme', rate_per_second: 40, burst: 40, max_batch: 40, upcoming: [] };

  it('has fields in every object, or says that it may have any', () => {
    const bare = [...documents].flatMap(([path, document]) => bareObjectsOf(document, path));
    expect(bare).toEqual([]);
  });

  it.each<[string, Name, string, object]>([
    ['a link without a problem', 'me-links', 'UserLinkReply', link],
    ['a partner without a link', 'me-links', 'UserPartnerReply', partner],
    ['a partner with a link', 'me-links', 'UserPartnerReply', { ...partner, link }],
    ['a contract before the first version', 'partner-events', 'PartnerContractDto', { ...contract, in_force: null }],
    [
      'a warning with a code that the document does not know',
      ...(['partner-events', 'SendEventAnswerDto'] as const),
      { ...accepted, warnings: [{ code: 'brand_new', field: 'event.id', message: 'm' }] },
    ],
  ])('has %s', (_what, name, schema, answer) => {
    const validate = validatorOf(name, schema);
    expect([validate(answer), validate.errors]).toEqual([true, null]);
  });

  it.each<[string, Name, string, unknown]>([
    ['another problem', 'me-links', 'UserLinkReply', { ...link, problem: 'none' }],
    ['a link that is text', 'me-links', 'UserPartnerReply', { ...partner, link: 'none' }],
  ])('does not have %s', (_what, name, schema, answer) => {
    expect(validatorOf(name, schema)(answer)).toBe(false);
  });

  it.each(names.filter((name) => name !== 'competition-data'))('has null wherever %s says that it may be', (name) => {
    const properties = Object.entries(documents.get(`docs/openapi/${name}.json`)?.components.schemas ?? {}).flatMap(
      ([schema, { properties = {} }]) =>
        Object.entries(properties)
          .filter(([, { nullable, oneOf = [] }]) => [nullable, ...oneOf.map((each) => each.nullable)].includes(true))
          .map(([property]) => `${schema}/properties/${property}`),
    );
    expect(properties.length).toBeGreaterThan(1);
    expect(properties.filter((property) => !validatorOf(name, property)(null))).toEqual([]);
  });
});

/** Where a document has an object of which it says nothing: generators of clients make it one without any field. */
function bareObjectsOf(value: unknown, pointer: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { type, properties, additionalProperties } = value as Readonly<Record<string, unknown>>;
  const isBare = type === 'object' && properties === undefined && additionalProperties === undefined;
  return [
    ...(isBare ? [pointer] : []),
    ...Object.entries(value).flatMap(([name, part]) => bareObjectsOf(part, `${pointer}/${name}`)),
  ];
}

/** Error codes of the examples of responses. */
function exampleCodes(responses: unknown): Set<unknown> {
  if (typeof responses !== 'object' || responses === null) return new Set();
  const { code } = responses as { readonly code?: unknown };
  return new Set([code, ...Object.values(responses).flatMap((part) => [...exampleCodes(part)])]);
}

/** Codes that the sources of a folder return by name. */
function codesIn(folder: string): ErrorCode[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
  );
  const text = files.map((file) => readFileSync(resolve(folder, file), 'utf8')).join('\n');
  const thrown = /\b(?:CodedError|refusalOf|refused|problemOf)\(\s*'(\w+)'/g;
  const found = [...text.matchAll(thrown)].map(([, code]) => code as ErrorCode);
  return [...new Set(found)].filter((code) => code in errorCatalogue);
}
