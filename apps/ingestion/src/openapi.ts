import { INestApplication, Module } from '@nestjs/common';
import { DocumentBuilder, OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { SendEventController } from './documentation/send-event-documentation.controller';

/** Documentation only: the module from which the partners' OpenAPI is generated; the service never loads it. */
@Module({ controllers: [SendEventController] })
export class SendEventDocsModule {}

/** The OpenAPI of `POST /cdp/v1/users/events/send`, from an application made of `SendEventDocsModule`. */
export function partnerEventsDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Podium partner events')
    .setDescription(
      'Where partners send events of linked users. Test and production have addresses and keys of their own.',
    )
    .setVersion('1')
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        description: 'An event key of the platform and environment: podium_test_ev_… or podium_production_ev_…',
      },
      'event-key',
    )
    .build();
  return SwaggerModule.createDocument(app, config);
}
