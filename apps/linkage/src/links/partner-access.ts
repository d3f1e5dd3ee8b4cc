import type { Logger } from '@podium/runtime/log';
import { Pool } from '@podium/runtime/postgres';
import { PartnerActivity } from '../activity/partner-activity';
import { PartnerClient } from '../partner-client/partner-client';
import { Vault } from '../vault/vault';
import { PartnerIntegrationStore } from './partner-integration.store';

/** What work on stored tokens at their partner needs. */
export interface PartnerAccess {
  readonly pool: Pool;
  readonly integrations: PartnerIntegrationStore;
  readonly vault: Vault;
  readonly partnerClient: PartnerClient;
  readonly activity: PartnerActivity;
  readonly logger: Logger;
}
