import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PublishedDefinition } from '../evaluation/compiled-definition';
import type { SegmentBody, TaskBody } from '../evaluation/condition';

/** Whether a definition selects users or rewards them. */
export type DefinitionKind = 'segment' | 'task';

/** The state of a version; `replaced` by a newer version of the same definition. At most one is published or paused. */
export type VersionState = 'draft' | 'published' | 'paused' | 'ended' | 'replaced';

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

  @Column('jsonb')
  body: SegmentBody | TaskBody;

  @Column('jsonb', { name: 'attribute_types' })
  attributeTypes: PublishedDefinition['attributeTypes'];

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

  /** Events received from this time on count for the generation. */
  @Column('timestamptz', { name: 'counts_from', nullable: true })
  countsFrom: Date | null;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt: Date | null;
}
