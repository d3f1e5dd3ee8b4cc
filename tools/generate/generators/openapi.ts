import 'reflect-metadata';
import { INestApplication, Module, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DocumentBuilder, OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { dataControllers } from '../../../apps/competition-read/src/app.module';
import { dataDocument } from '../../../apps/competition-read/src/openapi';
import { SendEventDocsModule, partnerEventsDocument } from '../../../apps/ingestion/src/openapi';
import { adminControllers as ingestionAdmin } from '../../../apps/ingestion/src/ingestion.module';
import { adminControllers as engagementAdmin } from '../../../apps/engagement/src/app.module';
import { definitionSchemas } from '../../../apps/engagement/src/openapi';
import { adminControllers as linkageAdmin, linkControllers } from '../../../apps/linkage/src/app.module';
import { GeneratedFile, json } from './generated-file';
import { withErrorResponses } from './error-responses';
import { withExactNulls } from './exact-nulls';

/** OpenAPI of the public edges, from the controllers' own declarations; no service runs and no store is used. */
export async function openApi(): Promise<GeneratedFile[]> {
  return [
    await artefact('partner-events', SendEventDocsModule, partnerEventsDocument),
    await artefact('operators', moduleOf([...linkageAdmin, ...engagementAdmin, ...ingestionAdmin]), (app) =>
      withSchemas(document(app, 'Podium operators', 'operator-token'), definitionSchemas()),
    ),
    await artefact('me-links', moduleOf(linkControllers), (app) => document(app, 'Podium users: links', 'user-token')),
    await artefact('competition-data', moduleOf(dataControllers), dataDocument),
  ];
}

async function artefact(
  name: string,
  module: Type,
  documentOf: (app: INestApplication) => OpenAPIObject,
): Promise<GeneratedFile> {
  const app = await NestFactory.create(module, new FastifyAdapter(), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  return { path: `docs/openapi/${name}.json`, content: json(withExactNulls(documentOf(app))) };
}

/** A module of controllers alone: all their dependencies are empty objects, because nothing is called. */
function moduleOf(controllers: Type[]): Type {
  const guards = controllers.flatMap((controller) => (Reflect.getMetadata('__guards__', controller) ?? []) as Type[]);
  const asked = [...controllers, ...guards].flatMap(
    (type) => (Reflect.getMetadata('design:paramtypes', type) ?? []) as Type[],
  );
  @Module({ controllers, providers: [...new Set(asked)].map((provide) => ({ provide, useValue: {} })) })
  class DocumentedModule {}
  return DocumentedModule;
}

function withSchemas(made: OpenAPIObject, schemas: NonNullable<OpenAPIObject['components']>['schemas']): OpenAPIObject {
  return { ...made, components: { ...made.components, schemas: { ...made.components?.schemas, ...schemas } } };
}

function document(app: INestApplication, title: string, scheme: string): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle(title)
    .setVersion('1')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'A token of the identity provider' }, scheme)
    .addSecurityRequirements(scheme)
    .build();
  const made = SwaggerModule.createDocument(app, config);
  // The document's scheme applies to all operations; guards name one that no document declares.
  for (const path of Object.values(made.paths))
    for (const operation of Object.values(path) as { security?: unknown }[]) delete operation.security;
  return withErrorResponses(made);
}
