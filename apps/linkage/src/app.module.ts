import { DynamicModule, Module, Type } from '@nestjs/common';
import { ActivityController } from './activity/activity.controller';
import { AuditController } from './audit/audit.controller';
import { PartnerChecksController } from './checks/partner-checks.controller';
import { CheckLogInController } from './connect/check-log-in.controller';
import { ConnectController } from './connect/connect.controller';
import { LoginController } from './connect/login.controller';
import { ContractsController } from './contracts/contracts.controller';
import { ErasuresConsumer } from './erasures/erasures.consumer';
import { ErasuresController } from './erasures/erasures.controller';
import { IntegrationsController } from './integrations/integrations.controller';
import { KeysController } from './keys/keys.controller';
import { AdminLinksController } from './links/admin-links.controller';
import { MeLinksController } from './links/me-links.controller';
import { OauthCallbackController } from './connect/oauth-callback.controller';
import { TestLinkController } from './connect/test-link.controller';
import { TestLinksController } from './test-links/test-links.controller';
import { VaultController } from './vault/vault.controller';

/** Controllers for operators, below /admin/v1; the OpenAPI document is made from them without a running service. */
export const adminControllers: Type[] = [
  IntegrationsController,
  PartnerChecksController,
  ActivityController,
  TestLinksController,
  ContractsController,
  KeysController,
  AdminLinksController,
  AuditController,
  VaultController,
  ErasuresController,
];

/** Controllers for a user's links, with an OpenAPI document too. */
export const linkControllers: Type[] = [MeLinksController, OauthCallbackController];

/** Controllers for users and partners' redirects. */
const userControllers: Type[] = [
  ...linkControllers,
  ConnectController,
  LoginController,
  TestLinkController,
  CheckLogInController,
];

/** The service's controllers; Nest injects the instances of the composition root by class. */
@Module({})
export class AppModule {
  static of(instances: readonly object[]): DynamicModule {
    return {
      module: AppModule,
      controllers: [...adminControllers, ...userControllers, ErasuresConsumer],
      providers: instances.map((instance) => ({ provide: instance.constructor, useValue: instance })),
    };
  }
}
