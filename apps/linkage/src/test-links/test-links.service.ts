import { randomUUID } from 'node:crypto';
import { CodedError } from '@podium/messages';
import { Operator } from '@podium/runtime/http';
import { Pool, inTransaction, queryable } from '@podium/runtime/postgres';
import { appendAudit } from '../audit/audit.store';
import { IntegrationStore } from '../integrations/integration.store';
import { requireComplete } from '../integrations/require-complete';
import { randomSecret, secretHash } from '../links/authorization-url';
import { TestLinkReply, TestLinkStartedReply } from './test-link.dto';
import { TestLink, deleteTestLinks, insertTestLink, readTestLink } from './test-link.store';

/** How long the address of a test link can be opened, seconds. */
const entryLifetimeS = 900;

/** Test links of operators: the flow of a user with an account of the operator's own, of which nothing stays. */
export class TestLinksService {
  constructor(
    private readonly pool: Pool,
    private readonly integrations: IntegrationStore,
    private readonly publicUrl: string,
  ) {}

  /** Makes the address that the operator opens in a browser; throws `not_found`, `forbidden` and `unprocessable` before it is complete. */
  async start(operator: Operator, integrationId: string): Promise<TestLinkStartedReply> {
    const integration = await this.integrations.get(operator, integrationId, 'editor');
    requireComplete(integration);
    const entry = randomSecret();
    const testLinkId = randomUUID();
    const link = await inTransaction(this.pool, async (tx) => {
      await deleteTestLinks(tx);
      await appendAudit(tx, {
        actor: operator.operatorId,
        action: 'integration.test_link_started',
        subject: `integration:${integrationId}`,
        organizerId: integration.organizerId,
        detail: { test_link_id: testLinkId },
      });
      return insertTestLink(tx, {
        ...{ testLinkId, integrationId, entryHash: secretHash(entry) },
        ...{ requestedBy: operator.operatorId, lifetimeS: entryLifetimeS },
      });
    });
    return {
      test_link_id: testLinkId,
      url: `${this.publicUrl}/connect/test?entry=${entry}`,
      expires_at: link.expiresAt.toISOString(),
    };
  }

  /** How a test link stands; throws `not_found`, also an hour after its end. */
  async show(operator: Operator, integrationId: string, testLinkId: string): Promise<TestLinkReply> {
    await this.integrations.get(operator, integrationId);
    const link = await readTestLink(queryable(this.pool), { integrationId, testLinkId });
    if (!link) throw new CodedError('not_found');
    return { test_link_id: testLinkId, status: statusOf(link), result: link.result };
  }
}

function statusOf({ result, openedAt, isExpired }: TestLink): TestLinkReply['status'] {
  if (result !== null) return result.failed_at === null ? 'succeeded' : 'failed';
  if (openedAt !== null) return isExpired ? 'expired' : 'opened';
  return isExpired ? 'expired' : 'waiting';
}
