import openapiTS, { astToString } from 'openapi-typescript';
import { GeneratedFile } from './generated-file';

/** Types of an OpenAPI document for TypeScript clients, as openapi-typescript generates them. */
export async function clientTypes(documents: readonly GeneratedFile[]): Promise<GeneratedFile[]> {
  const document = documents.find(({ path }) => path === 'docs/openapi/competition-data.json');
  if (!document) throw new Error('docs/openapi/competition-data.json is not among the generated documents');
  const types = astToString(await openapiTS(JSON.parse(document.content) as Parameters<typeof openapiTS>[0]));
  return [
    {
      path: 'docs/examples/competition-data.ts',
      content: `// Generated from docs/openapi/competition-data.json by openapi-typescript.\n\n${types}`,
    },
  ];
}
