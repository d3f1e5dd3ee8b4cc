import { Operator, Page, keyInCursor, pageOf, visibleOrganizers } from '@podium/runtime/http';
import { Queryable } from '@podium/runtime/postgres';
import { AwardReply, AwardsQuery } from './award.dto';
import { AwardRow, listAwards } from './awards.queries';
import { ledgerReply } from './ledger-reply';

/** Shows the award ledger. */
export class AwardsService {
  constructor(private readonly db: Queryable) {}

  /** Awards of the organizers that the operator may see, newest first. */
  async list(operator: Operator, query: AwardsQuery): Promise<Page<AwardReply>> {
    const [before] = keyInCursor(query.cursor, ['number']) ?? [null];
    const rows = await listAwards(this.db, {
      organizers: visibleOrganizers(operator),
      platform: query.platform,
      userId: query.user_id,
      taskId: query.task_id,
      before,
      limit: query.limit + 1,
    });
    return pageOf(rows, query.limit, (row) => [row.number], replyOf);
  }
}

function replyOf({ number: _number, reached_at, issued_at, entries, ...award }: AwardRow): AwardReply {
  return {
    ...award,
    reached_at: new Date(reached_at * 1000).toISOString(),
    issued_at: issued_at.toISOString(),
    ...ledgerReply(entries),
  };
}
