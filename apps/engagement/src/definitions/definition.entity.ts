import { storedBody } from './stored-body';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SegmentBody, TaskBody } from '../evaluation/definition';
import type { StoredAttributeTypes } from './attribute-specs';

/** Whether a definition selects users or rewards them. */
export type DefinitionKind = 'segment' | 'task';

/** The state of a version; `replaced` by a newer version of the same definition. At most one is published or paused. */
export type VersionState = 'draft' | 'published' | 'paused' | 'ended' | 'replaced';

/** A UTC day of `reached_at` with more awards than a task may have. */
export interface PausedBecause {
  /** UTC date. */
  readonly day: string;
  readonly awards: number;
  readonly max_per_day: number;
}

/** The driver returns a bigint as text. */
const wholeSeconds = {
  to: (seconds: number | null) => seconds,
  from: (stored: string | number | null) => (stored === null ? null : Number(stored)),
};

/** One version of a segment or task; a published version never changes (a trigger enforces it), an edit is a new version. */
@Entity({ name: 'definitions', schema: 'engagement' })
export class Definition {
  @PrimaryColumn('uuid', { name: 'definition_id' })
  definitionId: string;

  @PrimaryColumn('integer')
  version: number;

  /** Numbers the state that versions share; null before publishing. */
  @Column('integer', { nullable: true })
  generation: number | null;

  @Column('text')
  kind: DefinitionKind;

  @Column('text')
  platform: string;

  @Column('text', { name: 'organizer_id' })
  organizerId: string;

  @Column('text')
  name: string;

  /** Canonical; the store reads bodies of the release before into this form. One that it cannot read is as it is stored. */
  @Column('jsonb', { transformer: { to: storedBody, from: (stored: unknown) => stored } })
  body: SegmentBody | TaskBody;

  @Column('jsonb', { name: 'attribute_types' })
  attributeTypes: StoredAttributeTypes;

  @Column('text')
  state: VersionState;

  @Column('text', { name: 'created_by' })
  createdBy: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('text', { name: 'published_by', nullable: true })
  publishedBy: string | null;

  @Column('timestamptz', { name: 'published_at', nullable: true })
  publishedAt: Date | null;

  /** For the release before: events received from this time on count for the generation. */
  @Column('timestamptz', { name: 'counts_from', nullable: true })
  countsFrom: Date | null;

  /** Unix seconds of event time; null in drafts and in rows of the release before (`inForceFroms`). */
  @Column('bigint', { name: 'in_force_from', nullable: true, transformer: wholeSeconds })
  inForceFrom: number | null;

  /** The task window of the generation that begins with this version begins at the start of the task. */
  @Column('boolean')
  recount: boolean;

  /** The engine pauses the task above so many awards of one UTC day of `reached_at`; null: it does not. */
  @Column('integer', { name: 'max_per_day', nullable: true })
  maxPerDay: number | null;

  /** Why the engine has paused it; null: it has not, or an operator has decided since (resumed, ended, or confirmed the pause). */
  @Column('jsonb', { name: 'paused_because', nullable: true })
  pausedBecause: PausedBecause | null;

  /** From when on it has ended or is replaced; may lie ahead. */
  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt: Date | null;

  /** Whether a definition ended while it was paused, or a task was paused after its end: what it reaches stays held. */
  @Column('boolean', { name: 'ended_while_paused' })
  endedWhilePaused: boolean;
}
