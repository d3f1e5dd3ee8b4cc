import { inTransaction } from '@podium/runtime/postgres';
import { voidMarks } from '../../../ingestion/src/operations/void-marks';
import { RestoreParts } from './read-records';
import { restoreDefinitions } from './restore-definitions';
import { restoreEngagement } from './restore-engagement';
import { restoreErasures } from './restore-erasures';
import { restoreLedger } from './restore-ledger';
import { restoreLinkage } from './restore-linkage';
import { notePublishedEnds, restoreRevisions } from './restore-revisions';

/** The steps of a restore, in the order in which `restore run` runs them. */
export const restoreSteps: readonly Step[] = [
  {
    name: 'definitions',
    description: 'take segments and tasks that were made or changed since from their topic, so that awards find them',
    run: async (parts) => {
      const found = await restoreDefinitions(parts);
      return {
        found,
        failure:
          found.contradictions.length > 0 &&
          `${found.contradictions.length} published versions differ from the database: services have run on it before the restore was complete. Restore the backup again, and start with restore run.`,
      };
    },
  },
  {
    name: 'ledger',
    description: 'read the topics of awards and results into the ledger, so that nothing is issued twice',
    run: async (parts) => {
      const found = await restoreLedger(parts);
      return {
        found,
        notes: [
          found.missing_tasks.length > 0 &&
            'missing_tasks have awards and are not in the database: define them again, or leave them ended.',
        ],
        failure:
          found.contradictions.length > 0 &&
          `${found.contradictions.length} published entries differ from the ledger: services have run on this database before the restore was complete. Restore the backup again, and start with restore run.`,
      };
    },
  },
  {
    name: 'revisions',
    description: 'continue the outboxes above all published revisions, without rows that were already published',
    run: async (parts) => ({ found: await restoreRevisions(parts) }),
  },
  {
    name: 'linkage',
    description: 'restore integrations, contracts, keys and links from their topics',
    run: async (parts) => {
      const found = await restoreLinkage(parts);
      return {
        found,
        notes: [
          found.incomplete_integrations.length > 0 &&
            'incomplete_integrations are paused: enter addresses, client id and secret of each again, then resume it.',
          found.links_refused.length > 0 &&
            'links_refused have no integration, or their user has another link: these users must link again.',
        ],
      };
    },
  },
  {
    name: 'erasures',
    description: 'erase users again who were erased after the restored moment',
    run: async (parts) => ({ found: await restoreErasures(parts) }),
  },
  {
    name: 'engagement',
    description: 'restore views and memberships from their topics, and re-read events from the restored positions',
    run: async (parts) => {
      const found = await restoreEngagement(parts);
      await notePublishedEnds(parts);
      return {
        found,
        notes: [
          found.events_gone > 0 &&
            'events_gone were accepted, but the topic no longer has them: they cannot be restored.',
        ],
      };
    },
  },
  {
    name: 'marks',
    description: 'let events be accepted again whose marks in Redis are newer than the restored moment',
    run: async ({ pool, by }) => ({
      found: { generation: await inTransaction(pool, (tx) => voidMarks(tx, by)) },
    }),
  },
];

/** The findings of a step, notes for operators, and why the restore must stop. */
export interface StepResult {
  readonly found: object;
  readonly notes?: readonly (string | false)[];
  readonly failure?: string | false;
}

/** A step of the restore. */
export interface Step {
  readonly name: string;
  readonly description: string;
  run(parts: RestoreParts): Promise<StepResult>;
}
