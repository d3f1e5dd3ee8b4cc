import { isDeepStrictEqual } from 'node:util';
import { CodedError, ContractAttribute, ContractEvent } from '@podium/messages';
import { Operator, Page, PageQuery, keyInCursor, pageOf } from '@podium/runtime/http';
import { entityQueryable } from '@podium/runtime/postgres';
import { DataSource, EntityManager, LessThan } from 'typeorm';
import { appendAudit } from '../audit/audit.store';
import { Integration } from '../entities/integration.entity';
import { IntegrationStore, publishIntegration } from '../integrations/integration.store';
import { contractInForceFrom } from './contract-in-force';
import { contractDifferences } from './contract-differences';
import { checkContractChange } from './contract-change-rules';
import { ContractAttributeDto, ContractEventDto, ContractReply, PublishContractDto } from './contract.dto';
import { Contract } from '../entities/contract.entity';

/** Most versions that were published within the last hour or share a record with the next one. */
const maxRecentVersions = 20;

/** Publishes and lists the contracts of integrations. */
export class ContractService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly integrations: IntegrationStore,
  ) {}

  /**
   * Publishes a version. A list that the newest version has already, from the same or an earlier time on, makes none: the
   * answer is the newest, so that a request whose answer was lost can be repeated. Throws `unprocessable` with the invalid name
   * when it is not additive, `conflict` when there is a newer version than expected or too many or too large ones are recent.
   */
  async publish(operator: Operator, integrationId: string, dto: PublishContractDto): Promise<ContractReply> {
    return this.dataSource.transaction(async (manager) => {
      const integration = await this.integrations.lock(manager, operator, integrationId, 'editor');
      const latest = await manager.findOne(Contract, { where: { integrationId }, order: { version: 'DESC' } });
      const events = dto.events.map(eventOf);
      const now = new Date();
      if (latest && changesNothing(latest, events, dto.in_force_from, now)) return replyOf(latest);
      checkExpected(dto.expected_version, latest?.version ?? 0);
      checkContractChange(latest?.events ?? [], events);
      const inForceFrom = contractInForceFrom(dto.in_force_from, now);
      const draft = { version: (latest?.version ?? 0) + 1, events, inForceFrom };
      await checkVersionLimit(manager, integrationId, inForceFrom);
      const outboxId = await publishIntegration(manager, integration, [draft]);
      const contract = await insert(manager, { ...draft, integrationId, outboxId, createdBy: operator.operatorId });
      const differences = contractDifferences(latest?.events ?? [], events);
      await auditPublished(manager, operator, integration, contract, differences);
      return replyOf(contract);
    });
  }

  /** Versions, newest first. */
  async list(operator: Operator, integrationId: string, query: PageQuery): Promise<Page<ContractReply>> {
    await this.integrations.get(operator, integrationId);
    const [before] = keyInCursor(query.cursor, ['int32']) ?? [null];
    const rows = await this.dataSource.manager.find(Contract, {
      where: { integrationId, ...(before === null ? {} : { version: LessThan(before) }) },
      order: { version: 'DESC' },
      take: query.limit + 1,
    });
    return pageOf(rows, query.limit, (row) => [row.version], replyOf);
  }
}

/** A version replaces all before it from its start on, so the list applies at every time from then on. */
function changesNothing(
  latest: Contract,
  events: readonly ContractEvent[],
  givenFrom: string | undefined,
  now: Date,
): boolean {
  const from = givenFrom === undefined ? now : new Date(givenFrom);
  return from >= latest.inForceFrom && isDeepStrictEqual(events, latest.events.map(asNegotiated));
}

function checkExpected(expected: number | undefined, newest: number): void {
  if (expected === undefined || expected === newest) return;
  const is = newest === 0 ? 'there is no contract' : `the newest version of the contract is ${newest}`;
  throw new CodedError('conflict', { message: `expected_version: ${is}; read it again and repeat your change.` });
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
    // With a falling in_force_from each version replaces the former ones, and only `createdAt` counts them.
    .andWhere(
      '(contract.createdAt > :recently OR (contract.inForceFrom > :recently AND contract.inForceFrom < :inForceFrom))',
      { recently, inForceFrom },
    )
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
  differences: Record<string, unknown>,
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
      ...differences,
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
