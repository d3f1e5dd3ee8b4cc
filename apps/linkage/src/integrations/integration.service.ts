import { CodedError, eventRatePerSecond } from '@podium/messages';
import { Operator, Page, PageQuery, keyInCursor, pageOf, requireRole } from '@podium/runtime/http';
import { entityQueryable, violatedConstraint } from '@podium/runtime/postgres';
import { DataSource, EntityManager } from 'typeorm';
import { appendAudit } from '../audit/audit.store';
import { secretLocations } from '../vault/secret-locations';
import { Vault } from '../vault/vault';
import { applyChanges, checkClientId, checkRedirectBase, defaultProfile, mergedProfile } from './apply-changes';
import { integrationIdOf } from './integration-id';
import { integrationReply } from './integration-reply';
import { IntegrationReply } from './integration-reply.dto';
import { CreateIntegrationDto, UpdateIntegrationDto } from './integration.dto';
import { Integration, IntegrationStatus } from '../entities/integration.entity';
import { IntegrationStore, publishIntegration } from './integration.store';
import { requireComplete } from './require-complete';
import { Deployments } from './onboarding';
import { checkPartnerAddress } from './entered-address';
import { AddressAllowList } from '../partner-client/partner-address-rules';

/** Settings of the deployment for all integrations. */
export interface IntegrationRules {
  readonly deployments: Deployments;
  /** `host:port` that may be plain http or private. */
  readonly allowList: AddressAllowList;
  /** Addresses of this deployment: PUBLIC_URL and those of a change of its domain. */
  readonly publicUrls: readonly string[];
}

/** When the partner last accepted a sealed client secret; null for never. */
export interface AcceptedSecrets {
  lastAccepted(integrationId: string, sealed: string): Promise<Date | null>;
}

/** Operators' changes of integrations; each change, its audit entry and its record are one transaction. */
export class IntegrationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly store: IntegrationStore,
    private readonly vault: Vault,
    private readonly accepted: AcceptedSecrets,
    private readonly rules: IntegrationRules,
  ) {}

  /** Creates an integration without a contract; throws `conflict` when platform or (partner, organizer) is taken. */
  async create(operator: Operator, dto: CreateIntegrationDto): Promise<IntegrationReply> {
    requireRole(operator, dto.organizer_id, 'admin');
    const draft = this.draft(dto);
    try {
      const integration = await this.dataSource.transaction(async (manager) => {
        // An insert, never a save: saving an id that exists would overwrite the integration of that platform.
        await manager.insert(Integration, draft);
        const created = await manager.findOneByOrFail(Integration, { integrationId: draft.integrationId });
        await publishIntegration(manager, created);
        await audit(manager, operator, created, 'integration.created', {
          platform: created.platform,
          partner: created.partner,
        });
        return created;
      });
      return this.reply(integration);
    } catch (error) {
      throw takenError(error, dto) ?? error;
    }
  }

  async show(operator: Operator, integrationId: string): Promise<IntegrationReply> {
    return this.reply(await this.store.get(operator, integrationId));
  }

  async list(operator: Operator, query: PageQuery): Promise<Page<IntegrationReply>> {
    const [after] = keyInCursor(query.cursor, ['string']) ?? [null];
    const rows = await this.store.list(operator, after, query.limit + 1);
    return pageOf(
      rows,
      query.limit,
      (row) => [row.platform],
      (row) => this.reply(row),
    );
  }

  /**
   * Changes an integration; a request without a difference has no effect. Throws `invalid_request` for a new origin without the
   * client secret. `cause` goes into the audit with what changed.
   */
  async update(
    operator: Operator,
    integrationId: string,
    dto: UpdateIntegrationDto,
    cause: Readonly<Record<string, string>> = {},
  ): Promise<IntegrationReply> {
    return this.dataSource.transaction(async (manager) => {
      const integration = await this.store.lock(manager, operator, integrationId, 'admin');
      if (dto.expected_version !== undefined && dto.expected_version !== integration.version)
        throw new CodedError('conflict', {
          message: `expected_version: the integration is at version ${integration.version}; read it again and repeat your change.`,
        });
      const acceptsCurrent = dto.client_secret !== undefined && (await this.acceptsCurrent(integration));
      const changed = applyChanges(integration, dto, { vault: this.vault, acceptsCurrent, ...this.rules });
      if (Object.keys(changed).length === 0) return this.reply(integration);
      return this.saved(manager, operator, integration, 'integration.updated', { ...changed, ...cause });
    });
  }

  /**
   * While paused, the partner's events get 403 and no linking flow can start. Throws `unprocessable` for the resumption of an
   * integration that is not complete after a restore.
   */
  async setStatus(operator: Operator, integrationId: string, status: IntegrationStatus): Promise<IntegrationReply> {
    return this.dataSource.transaction(async (manager) => {
      const integration = await this.store.lock(manager, operator, integrationId, 'editor');
      if (integration.status === status) return this.reply(integration);
      if (status === 'active') requireComplete(integration);
      integration.status = status;
      const action = status === 'paused' ? 'integration.paused' : 'integration.resumed';
      return this.saved(manager, operator, integration, action, {});
    });
  }

  /** Whether the current client secret is the one of both that the partner accepted last. */
  private async acceptsCurrent(integration: Integration): Promise<boolean> {
    const { integrationId, clientSecretEnc, previousClientSecretEnc: previous } = integration;
    const current = await this.accepted.lastAccepted(integrationId, clientSecretEnc);
    if (current === null || previous === null) return current !== null;
    const before = await this.accepted.lastAccepted(integrationId, previous);
    return before === null || current >= before;
  }

  private async saved(
    manager: EntityManager,
    operator: Operator,
    integration: Integration,
    action: string,
    detail: Record<string, unknown>,
  ): Promise<IntegrationReply> {
    const saved = await manager.save(integration);
    await publishIntegration(manager, saved);
    await audit(manager, operator, saved, action, detail);
    return this.reply(saved);
  }

  private draft(dto: CreateIntegrationDto): Omit<Integration, 'version' | 'createdAt' | 'updatedAt'> {
    const integrationId = integrationIdOf(dto.platform);
    const profile = mergedProfile(defaultProfile, dto.profile);
    checkClientId(dto.client_id, profile);
    checkRedirectBase(dto.profile?.redirect_base, this.rules.publicUrls);
    return {
      integrationId,
      platform: dto.platform,
      partner: dto.partner,
      organizerId: dto.organizer_id,
      displayName: dto.display_name,
      status: 'active',
      authorizationUrl: checkPartnerAddress('authorization_url', dto.authorization_url, this.rules.allowList),
      baseUrl: checkPartnerAddress('base_url', dto.base_url, this.rules.allowList),
      clientId: dto.client_id,
      clientSecretEnc: this.vault.seal(dto.client_secret, secretLocations.clientSecret(integrationId)),
      previousClientSecretEnc: null,
      ratePerSecond: dto.rate_per_second ?? eventRatePerSecond,
      profile,
      originVersion: 1,
    };
  }

  private reply(integration: Integration): IntegrationReply {
    return integrationReply(integration, this.rules.deployments);
  }
}

function audit(
  manager: EntityManager,
  operator: Operator,
  integration: Integration,
  action: string,
  detail: Record<string, unknown>,
): Promise<void> {
  return appendAudit(entityQueryable(manager), {
    actor: operator.operatorId,
    action,
    subject: `integration:${integration.integrationId}`,
    organizerId: integration.organizerId,
    detail,
  });
}

function takenError(error: unknown, dto: CreateIntegrationDto): CodedError | undefined {
  const constraint = violatedConstraint(error);
  if (constraint === 'integrations_partner_organizer_unique')
    return new CodedError('conflict', {
      message: `organizer_id: ${dto.partner} already has an integration with this organizer; another customer database needs another organizer.`,
    });
  if (constraint !== undefined)
    return new CodedError('conflict', { message: `platform: the name ${dto.platform} is taken; choose another.` });
  return undefined;
}
