import { randomUUID } from 'node:crypto';
import { CodedError } from '@podium/messages';
import {
  Operator,
  OperatorRole,
  Page,
  keyInCursor,
  mayActFor,
  pageOf,
  requireRole,
  visibleOrganizers,
} from '@podium/runtime/http';
import { EntityManager } from 'typeorm';
import { Catalogue, unknownPlatform } from './catalogue';
import { DefinitionsQuery, PublishDto } from './definition.dto';
import { Definition, DefinitionKind } from './definition.entity';
import {
  DefinitionOwner,
  DefinitionsStore,
  acceptDays,
  auditDefinition,
  beginChange,
  endSweepPause,
  priceOf,
  raiseEpoch,
  requireRoomFor,
  restartSweep,
  tellDefinition,
} from './definitions.store';
import { GivenVersion, draftVersion } from './draft-version';
import { requireAnother } from './four-eyes';
import { nextFullTenMinutes } from './in-force-from';
import { isLive } from './is-live';
import { publishVersion, versionToPublish } from './publish-version';
import { isForgotten } from './published-definitions.store';
import { requireEvaluable } from './require-evaluable';
import { requireSegments } from './segment-references';

/**
 * Lists and changes definitions for operators; each change, its audit entry, its record and the epoch are one transaction. The epoch
 * is last, because events wait from then on. An operator who may not see an organizer's definitions gets `not_found`, and for its
 * platforms what an unknown one answers; one who may only see them gets `forbidden` for changes. Methods return all versions of a definition, oldest first.
 */
export class DefinitionsService {
  constructor(
    private readonly store: DefinitionsStore,
    private readonly catalogue: Catalogue,
    private readonly now: () => Date = () => new Date(),
  ) {}

  async create(kind: DefinitionKind, operator: Operator, platform: string, given: GivenVersion): Promise<Definition[]> {
    const catalogue = this.catalogue.of(platform);
    if (!mayActFor(operator, catalogue.organizerId, 'viewer')) throw unknownPlatform();
    requireRole(operator, catalogue.organizerId, 'editor');
    const place = { kind, definitionId: randomUUID(), version: 1 };
    const first = draftVersion(place, given, { catalogue, operator, at: this.now() });
    return this.store.transaction(async (manager) => {
      await manager.insert(Definition, first);
      await audit(manager, operator, first, 'created');
      await requireRoomFor(manager, first.definitionId);
      await tellDefinition(manager, first.definitionId);
      return [first];
    });
  }

  async show(kind: DefinitionKind, operator: Operator, definitionId: string): Promise<Definition[]> {
    return allowed(operator, await this.store.versions(kind, definitionId), 'viewer');
  }

  /** The organizer of a definition, for what is stored beside its versions; throws `not_found` where the operator may not see it. */
  async requireVisible(kind: DefinitionKind, operator: Operator, definitionId: string): Promise<string> {
    const owner = await this.store.owner(kind, definitionId);
    const [{ organizerId }] = allowed(operator, owner === null ? [] : [owner], 'viewer');
    return organizerId;
  }

  async list<Reply>(
    kind: DefinitionKind,
    operator: Operator,
    query: DefinitionsQuery,
    replyOf: (versions: Definition[]) => Reply,
  ): Promise<Page<Reply>> {
    const key = keyInCursor(query.cursor, ['timeMs', 'uuid']);
    const definitions = await this.store.list({
      kind,
      organizers: visibleOrganizers(operator),
      platform: query.platform,
      before: key === null ? null : { createdAt: new Date(key[0]), definitionId: key[1] },
      limit: query.limit + 1,
    });
    return pageOf(
      definitions,
      query.limit,
      ({ createdAt, shown }) => [createdAt.getTime(), shown.definitionId],
      ({ shown }) => replyOf([shown]),
    );
  }

  async addVersion(
    kind: DefinitionKind,
    operator: Operator,
    definitionId: string,
    given: GivenVersion,
  ): Promise<Definition[]> {
    const work = async (manager: EntityManager, versions: Definition[]): Promise<boolean> => {
      const catalogue = this.catalogue.of(versions[0].platform);
      const place = { kind, definitionId, version: versions.length + 1 };
      const draft = draftVersion(place, given, { catalogue, operator, at: this.now() });
      await manager.insert(Definition, draft);
      await audit(manager, operator, draft, 'version_added');
      await requireRoomFor(manager, definitionId);
      return false;
    };
    return this.change(kind, operator, definitionId, work);
  }

  /**
   * Publishes a draft that another operator wrote, which replaces the published version from its `in_force_from` on; see
   * `versionToPublish`. Role approver.
   */
  async publish(
    kind: DefinitionKind,
    operator: Operator,
    definitionId: string,
    request: PublishDto = {},
  ): Promise<Definition[]> {
    const work = async (manager: EntityManager, versions: Definition[]): Promise<boolean> => {
      const version = versionToPublish(versions, request.version);
      requireAnother(operator, version.createdBy, `wrote version ${version.version}`);
      // First, so that no segment is published or ended meanwhile.
      await beginChange(manager);
      const now = this.now();
      const others = versions.filter((each) => each !== version);
      const priced = await priceOf(manager, version);
      const publication = publishVersion(version, others, request, now, priced);
      requireEvaluable(version);
      requireSegments(version, await this.store.segments(manager, version.platform));
      const live = versions.find(isLive);
      if (live) await setState(manager, live, { state: 'replaced', endedAt: dateOf(publication.inForceFrom) });
      await endSweepPause(manager, definitionId);
      await setState(manager, version, { ...publication, publishedBy: operator.operatorId, publishedAt: now });
      await audit(manager, operator, version, 'published', {
        generation: publication.generation,
        in_force_from: publication.inForceFrom,
        ...(request.rewards_without_events === true ? { rewards_without_events: true } : {}),
        ...(publication.recount ? { recount: true } : {}),
        ...(publication.maxPerDay === null ? {} : { max_per_day: publication.maxPerDay }),
        ...(priced === null ? {} : { dry_run: priced.dryRunId }),
      });
      // Versions of the release before were written without this check.
      await requireRoomFor(manager, definitionId);
      return true;
    };
    return this.change(kind, operator, definitionId, work, { role: 'approver' });
  }

  /**
   * Moves the published version; pausing twice, or resuming one that is not paused, changes nothing. Ending is permanent and
   * takes effect at the first full 10 minutes that are at least 10 minutes ahead. A task that has ended and still awards can be
   * paused.
   */
  async move(
    kind: DefinitionKind,
    operator: Operator,
    definitionId: string,
    to: 'published' | 'paused' | 'ended',
  ): Promise<Definition[]> {
    const work = async (manager: EntityManager, versions: Definition[]): Promise<boolean> => {
      const ended = versions.find(isEnded);
      if (ended) return this.pauseEnded(manager, operator, ended);
      const live = versions.find(isLive);
      if (!live) throw new CodedError('conflict', { message: 'No version is published; publish one first.' });
      if (live.state === to) return false;
      await beginChange(manager);
      if (to === 'ended') return this.end(manager, operator, live);
      await setState(manager, live, { state: to, pausedBecause: null });
      if (to === 'published') await acceptDays(manager, live);
      await audit(manager, operator, live, to === 'published' ? 'resumed' : to);
      return true;
    };
    return this.change(kind, operator, definitionId, work, { mayHaveEnded: kind === 'task' && to === 'paused' });
  }

  /** What the task reaches from now on is held, and never paid. Confirms a pause by the engine; pausing twice changes nothing. */
  private async pauseEnded(manager: EntityManager, operator: Operator, ended: Definition): Promise<boolean> {
    const { endedAt, endedWhilePaused, pausedBecause } = ended;
    if (endedAt === null || isForgotten(endedAt, this.now()))
      throw new CodedError('conflict', {
        message: 'This task has ended and awards nothing any more; there is nothing to pause.',
      });
    if (endedWhilePaused && pausedBecause === null) return false;
    await beginChange(manager);
    await setState(manager, ended, { endedWhilePaused: true, pausedBecause: null });
    await audit(manager, operator, ended, 'paused', { ended_at: Math.floor(endedAt.getTime() / 1000) });
    return true;
  }

  private async end(manager: EntityManager, operator: Operator, live: Definition): Promise<boolean> {
    const endedAt = nextFullTenMinutes(Math.ceil(this.now().getTime() / 1000));
    await setState(manager, live, {
      state: 'ended',
      endedAt: dateOf(endedAt),
      endedWhilePaused: live.state === 'paused',
      pausedBecause: null,
    });
    await restartSweep(manager, live.definitionId);
    await audit(manager, operator, live, 'ended', { ended_at: endedAt });
    return true;
  }

  /** `work` says whether it has changed what the engine evaluates. */
  private async change(
    kind: DefinitionKind,
    operator: Operator,
    definitionId: string,
    work: (manager: EntityManager, versions: Definition[]) => Promise<boolean>,
    { role = 'editor', mayHaveEnded = false }: { readonly role?: OperatorRole; readonly mayHaveEnded?: boolean } = {},
  ): Promise<Definition[]> {
    return this.store.transaction(async (manager) => {
      const versions = allowed(operator, await this.store.lockVersions(manager, kind, definitionId), role);
      if (!mayHaveEnded && versions.some(isEnded))
        throw new CodedError('conflict', { message: `This ${kind} has ended; create a new one.` });
      const isMoved = await work(manager, versions);
      await tellDefinition(manager, definitionId);
      const changed = await this.store.lockVersions(manager, kind, definitionId);
      if (isMoved) await raiseEpoch(manager);
      return changed;
    });
  }
}

function dateOf(seconds: number): Date {
  return new Date(seconds * 1000);
}

function isEnded({ state }: Definition): boolean {
  return state === 'ended';
}

async function setState(
  manager: EntityManager,
  { definitionId, version }: Definition,
  changes: Partial<Definition>,
): Promise<void> {
  await manager.createQueryBuilder().update(Definition).set(changes).where({ definitionId, version }).execute();
}

function audit(
  manager: EntityManager,
  operator: Operator,
  { kind, definitionId, organizerId, version, name }: Definition,
  what: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  return auditDefinition(manager, {
    operatorId: operator.operatorId,
    organizerId,
    action: `${kind}.${what}`,
    definitionId,
    details: { version, name, ...details },
  });
}

function allowed<Version extends DefinitionOwner>(
  operator: Operator,
  versions: Version[],
  role: OperatorRole,
): Version[] {
  const [first] = versions;
  if (!first || !mayActFor(operator, first.organizerId, 'viewer')) throw new CodedError('not_found');
  requireRole(operator, first.organizerId, role);
  return versions;
}
