import { Answer, listed } from '../answers/answer';
import type { PagingArgs, ReadContext } from '../context/read-context';

const lists = ['checked_in', 'finished', 'joined', 'started'];

/** The same page of each of the four lists of a tournament's teams; another page follows while any list has one. */
export async function teamsOfTournament(
  context: ReadContext,
  tournamentId: string,
  paging: PagingArgs,
): Promise<Answer> {
  const { limit } = paging;
  const { offset } = paging.cursor ?? paging;
  const pages = await context.lists.itemsByFilter(
    { list: 'teamsOfTournament', owner: tournamentId, after: null, offset, limit },
    lists,
    { kind: 'tournament', id: tournamentId },
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
