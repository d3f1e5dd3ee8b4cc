import openapiTS, { astToString } from 'openapi-typescript';
import { GeneratedFile } from './generated-file';

/** Types of an OpenAPI document for TypeScript clients, as openapi-typescript generates them. */
export async function clientTypes(documents: readonly GeneratedFile[]): Promise<GeneratedFile[]> {
  const content = await typesOf(documents, 'docs/openapi/competition-data.json');
  return [{ path: 'docs/examples/competition-data.ts', content }];
}

/** The types of the generated document at a path, as the text of a file. */
export async function typesOf(documents: readonly GeneratedFile[], from: string): Promise<string> {
  const document = documents.find(({ path }) => path === from);
  if (!document) throw new Error(`${from} is not among the generated documents`);
  const types = astToString(await openapiTS(JSON.parse(document.content) as Parameters<typeof openapiTS>[0]));
  return `// Generated from ${from} by openapi-typescript.\n\n${types}`;
}
