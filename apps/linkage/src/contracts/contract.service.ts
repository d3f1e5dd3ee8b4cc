import { CodedError, ContractAttribute, ContractEvent } from '@podium/messages';
import { Operator, Page, PageQuery, keyInCursor, pageOf } from '@podium/runtime/http';
import { entityQueryable } from '@podium/runtime/postgres';
import { DataSource, EntityManager, LessThan } from 'typeorm';
import { appendAudit } from '../audit/audit.store';
import { Integration } from '../entities/integration.entity';
import { IntegrationStore, publishIntegration } from '../integrations/integration.store';
import { contractInForceFrom } from './contract-in-force';
import { checkContractChange } from './contract-change-rules';
import { ContractAttributeDto, ContractEventDto, ContractReply, PublishContractDto } from './contract.dto';
import { Contract } from '../entities/contract.entity';

/** Most versions that may be scheduled: with those of the last hour they share one record of at most 1 MiB. */
const maxRecentVersions = 20;

/** Publishes and lists the contracts of integrations. */
export class ContractService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly integrations: IntegrationStore,
  ) {}

  /** Publishes a version; throws `unprocessable` with the invalid name when it is not additive. */
  async publish(operator: Operator, integrationId: string, dto: PublishContractDto): Promise<ContractReply> {
    return this.dataSource.transaction(async (manager) => {
      const integration = await this.integrations.lock(manager, operator, integrationId, 'editor');
      const latest = await manager.findOne(Contract, { where: { integrationId }, order: { version: 'DESC' } });
      const events = dto.events.map(eventOf);
      checkContractChange(latest?.events ?? [], events);
      const inForceFrom = contractInForceFrom(dto.in_force_from, new Date());
      const draft = { version: (latest?.version ?? 0) + 1, events, inForceFrom };
      await checkVersionLimit(manager, integrationId, inForceFrom);
      const outboxId = await publishIntegration(manager, integration, [draft]);
      const contract = await insert(manager, { ...draft, integrationId, outboxId, createdBy: operator.operatorId });
      await auditPublished(manager, operator, integration, contract);
      return replyOf(contract);
    });
  }

  /** Versions, newest first. */
  async list(operator: Operator, integrationId: string, query: PageQuery): Promise<Page<ContractReply>> {
    await this.integrations.get(operator, integrationId);
    const [before] = keyInCursor(query.cursor, ['number']) ?? [null];
    const rows = await this.dataSource.manager.find(Contract, {
      where: { integrationId, ...(before === null ? {} : { version: LessThan(before) }) },
      order: { version: 'DESC' },
      take: query.limit + 1,
    });
    return pageOf(rows, query.limit, (row) => [row.version], replyOf);
  }
}

async function insert(
  manager: EntityManager,
  draft: Omit<Contract, 'barrierOffset' | 'inForceAt' | 'createdAt'>,
): Promise<Contract> {
  await manager.insert(Contract, { ...draft, barrierOffset: null, inForceAt: null });
  return manager.findOneByOrFail(Contract, { integrationId: draft.integrationId, version: draft.version });
}

async function checkVersionLimit(manager: EntityManager, integrationId: string, inForceFrom: Date): Promise<void> {
  const recently = new Date(Date.now() - 60 * 60 * 1000);
  const recent = await manager
    .createQueryBuilder(Contract, 'contract')
    .where('contract.integrationId = :integrationId', { integrationId })
    .andWhere('contract.inForceFrom > :recently AND contract.inForceFrom < :inForceFrom', { recently, inForceFrom })
    .getCount();
  if (recent >= maxRecentVersions)
    throw new CodedError('conflict', {
      message: `${recent} versions were published within the last hour or are scheduled; publish the next one later.`,
    });
}

function auditPublished(
  manager: EntityManager,
  operator: Operator,
  integration: Integration,
  contract: Contract,
): Promise<void> {
  return appendAudit(entityQueryable(manager), {
    actor: operator.operatorId,
    action: 'contract.published',
    subject: `integration:${integration.integrationId}`,
    organizerId: integration.organizerId,
    detail: {
      version: contract.version,
      in_force_from: contract.inForceFrom.toISOString(),
      events: contract.events.length,
    },
  });
}

/** Only the fields of the contract, in one order; flags only where true. */
function eventOf(dto: ContractEventDto): ContractEvent {
  return {
    name: dto.name,
    kind: dto.kind,
    attributes: dto.attributes.map(attributeOf),
    ...(dto.retired ? { retired: true } : {}),
  };
}

function attributeOf(dto: ContractAttributeDto): ContractAttribute {
  return {
    name: dto.name,
    type: dto.type,
    ...(dto.retired ? { retired: true } : {}),
    ...(dto.currency_attribute === undefined ? {} : { currency_attribute: dto.currency_attribute }),
    ...(dto.currencies === undefined ? {} : { currencies: dto.currencies }),
    ...(dto.non_negative ? { non_negative: true } : {}),
  };
}

/** Without what a contract that was restored from the topic states beside it. */
function asNegotiated({ attributes, ...event }: ContractEvent): ContractEvent {
  return { ...event, attributes: attributes.map(({ currency_versions: _, ...attribute }) => attribute) };
}

function replyOf(contract: Contract): ContractReply {
  return {
    version: contract.version,
    events: contract.events.map(asNegotiated),
    in_force_from: contract.inForceFrom.toISOString(),
    in_force_at: contract.inForceAt?.toISOString() ?? null,
    created_at: contract.createdAt.toISOString(),
    created_by: contract.createdBy,
  };
}
