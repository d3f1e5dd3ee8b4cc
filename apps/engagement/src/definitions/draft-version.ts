import { Operator } from '@podium/runtime/http';
import { storedAttributeTypes } from './attribute-specs';
import { PlatformCatalogue } from './catalogue';
import { CheckedBody } from './check-segment';
import { Definition } from './definition.entity';
import { requireEvaluable } from './require-evaluable';

/** A new version: its name, and the check of its body against a catalogue. */
export interface GivenVersion {
  readonly name: string;
  readonly check: (catalogue: PlatformCatalogue) => CheckedBody<Definition['body']>;
}

/** The draft of a version that an operator writes, checked against the catalogue; throws a coded error for what it refuses. */
export function draftVersion(
  { kind, definitionId, version }: Pick<Definition, 'kind' | 'definitionId' | 'version'>,
  given: GivenVersion,
  written: { readonly catalogue: PlatformCatalogue; readonly operator: Operator; readonly at: Date },
): Definition {
  const { catalogue, operator, at } = written;
  const { body, specs } = given.check(catalogue);
  const draft = Object.assign(new Definition(), {
    definitionId,
    version,
    generation: null,
    kind,
    platform: catalogue.platform,
    organizerId: catalogue.organizerId,
    name: given.name,
    body,
    attributeTypes: storedAttributeTypes(specs),
    state: 'draft',
    createdBy: operator.operatorId,
    createdAt: at,
    publishedBy: null,
    publishedAt: null,
    countsFrom: null,
    inForceFrom: null,
    recount: false,
    maxPerDay: null,
    pausedBecause: null,
    endedAt: null,
    endedWhilePaused: false,
  } satisfies Definition);
  requireEvaluable(draft);
  return draft;
}
