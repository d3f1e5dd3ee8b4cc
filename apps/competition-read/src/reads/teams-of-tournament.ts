import { Answer, listed } from './answer';
import type { PagingArgs, Reads } from './reads';

const lists = ['checked_in', 'finished', 'joined', 'started'];

/** The same page of the four lists of a tournament's teams; more follows while it does in any of them. */
export async function teamsOfTournament(reads: Reads, tournamentId: string, paging: PagingArgs): Promise<Answer> {
  const { limit } = paging;
  const { offset } = paging.cursor ?? paging;
  const pages = await Promise.all(
    lists.map((filter) =>
      reads.listItems(
        { list: 'teamsOfTournament', owner: tournamentId, filter, after: null, offset, limit },
        { kind: 'tournament', id: tournamentId },
      ),
    ),
  );
  return {
    body: [
      '{',
      ...pages.flatMap(({ items }, index) => [`${index === 0 ? '' : ','}"${lists[index]}":[`, ...listed(items), ']']),
      '}',
    ],
    page: {
      offset,
      limit,
      next: pages.some(({ last }) => last !== null) ? { offset: offset + limit, after: null } : null,
    },
  };
}
