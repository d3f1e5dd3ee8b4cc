import { INestApplication, Module } from '@nestjs/common';
import { DocumentBuilder, OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { EventIdsDocumentationController } from './documentation/event-ids-documentation.controller';
import { PartnerReadsDocumentationController } from './documentation/partner-reads-documentation.controller';
import { SendEventDocumentationController } from './documentation/send-event-documentation.controller';

/** For documentation only: the partners' OpenAPI is generated from this module; the service never loads it. */
@Module({
  controllers: [SendEventDocumentationController, EventIdsDocumentationController, PartnerReadsDocumentationController],
})
export class SendEventDocsModule {}

/** The OpenAPI of the partners' event operations, from an application made of `SendEventDocsModule`. */
export function partnerEventsDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Podium partner events')
    .setDescription('Partners send events of linked users here. Test and production have separate addresses and keys.')
    .setVersion('1')
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'podium_test_ev_…',
        description: 'An event key of the platform and environment: podium_test_ev_… or podium_production_ev_…',
      },
      'event-key',
    )
    .build();
  return SwaggerModule.createDocument(app, config);
}
