import { INestApplication } from '@nestjs/common';
import { DocumentBuilder, OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { dataPath } from './reads/http/page-links';
import { readRows } from './reads/rows/read-rows';
import { componentSchemas } from './reads/openapi/component-schemas';
import { errorReply, responseComponents, responseReferences } from './reads/openapi/error-responses';
import { exampleOf } from './reads/openapi/example';
import { headerComponents } from './reads/openapi/headers';

/** Name of the security scheme: a data key. */
export const dataKey = 'data-key';

/** The OpenAPI document of the reads, from an application that has only their controllers; no service runs. */
export function dataDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Podium competition data')
    .setDescription(
      'Competitions, matches, players, rankings and statistics. All operations are GET, and also HEAD. Empty arguments ' +
        'and the text `undefined` count as omitted; unknown arguments are ignored. URLs contain a literal {lang} segment.',
    )
    .setVersion('4')
    .addServer(dataPath)
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'podium_test_dt_…',
        description: 'A data key. Its scopes define what it may read: data:read, queues:developer, queues:organizer',
      },
      dataKey,
    )
    .addSecurityRequirements(dataKey)
    .build();
  const document = SwaggerModule.createDocument(app, config);
  const schemas = componentSchemas([...readRows.map(({ reply }) => reply), errorReply]);
  document.paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => [path.slice(dataPath.length), item]),
  );
  for (const { path, reply } of readRows) complete(document, path, exampleOf(reply.name, schemas));
  document.components = {
    ...document.components,
    schemas: schemas as never,
    headers: headerComponents,
    responses: responseComponents as never,
  };
  return document;
}

/** Adds what all operations share: the error responses, and an example of the operation's own response. */
function complete(document: OpenAPIObject, path: string, example: unknown): void {
  const operation = document.paths[path].get;
  const response = operation?.responses?.['200'];
  if (!operation?.responses || !response || !('content' in response) || !response.content)
    throw new Error(`${path} has no documented response`);
  response.content['application/json'].example = example;
  Object.assign(operation.responses, responseReferences);
}
