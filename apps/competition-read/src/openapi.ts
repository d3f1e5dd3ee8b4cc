import { INestApplication } from '@nestjs/common';
import { DocumentBuilder, OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { dataPath } from './reads/links';
import { readRows } from './reads/rows';
import { componentSchemas } from './reads/docs/component-schemas';
import { errorReply, responseComponents, responseReferences } from './reads/docs/error-responses';
import { exampleOf } from './reads/docs/example';
import { headerComponents } from './reads/docs/headers';

/** Name of the security scheme: a data key. */
export const dataKey = 'data-key';

/** The OpenAPI of the reads, from an application made of their controllers; no service runs. */
export function dataDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Podium competition data')
    .setDescription(
      'Competitions, matches, players, rankings and statistics. All operations are GET, and HEAD. Arguments that are ' +
        'empty or the text `undefined` count as not given, unknown ones are ignored. Links carry a literal {lang} segment.',
    )
    .setVersion('4')
    .addServer(dataPath)
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'podium_test_dt_…',
        description: 'A data key; its scopes say what it may read: data:read, queues:developer, queues:organizer',
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

/** Adds to an operation what all have: the answers beside its own, and an example of that. */
function complete(document: OpenAPIObject, path: string, example: unknown): void {
  const operation = document.paths[path].get;
  const answer = operation?.responses?.['200'];
  if (!operation?.responses || !answer || !('content' in answer) || !answer.content)
    throw new Error(`${path} has no documented answer`);
  answer.content['application/json'].example = example;
  Object.assign(operation.responses, responseReferences);
}
