import { readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { ErrorCode, bodyErrors, edgeErrors, errorCatalogue } from '../../../libs/messages/src';
import { openApi } from './openapi';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>;
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

/** The error for a method that no document has, so no operation returns it. */
const toOthers: readonly ErrorCode[] = ['method_not_allowed'];

describe('errors in the OpenAPI documents', () => {
  let documents: Map<string, Document>;

  beforeAll(async () => {
    documents = new Map((await openApi()).map(({ path, content }) => [path, JSON.parse(content) as Document]));
  });

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
    const statuses = new Set(operationsOf(name).flatMap((operation) => operation.statuses));
    const codes = codesIn(resolve(root, folder)).filter((code) => !toOthers.includes(code));
    expect(codes.filter((code) => !statuses.has(errorCatalogue[code].status))).toEqual([]);
  });

  it('finds codes in the sources', () => {
    expect(codesIn(resolve(root, 'apps/gateway/src/server'))).toEqual(
      expect.arrayContaining(['headers_too_large', 'request_timeout', 'invalid_request']),
    );
  });
});

/** Codes that the sources of a folder return by name. */
function codesIn(folder: string): ErrorCode[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
  );
  const text = files.map((file) => readFileSync(resolve(folder, file), 'utf8')).join('\n');
  const found = [...text.matchAll(/(?:CodedError|refusalOf)\(\s*'(\w+)'/g)].map(([, code]) => code as ErrorCode);
  return [...new Set(found)].filter((code) => code in errorCatalogue);
}
