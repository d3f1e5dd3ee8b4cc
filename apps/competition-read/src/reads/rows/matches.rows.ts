import { Match, MatchStats } from '@podium/messages';
import { id } from '../arguments/path-parameters';
import { cacheSeconds } from './cache-lifetimes';
import { read } from './read-row';
import { shape } from './replies';

const tag = 'Matches';
const params = { match_id: id('Match, 1- and a UUID', '1-5f3c1d2e-9b8a-4c7d-8e6f-0a1b2c3d4e5f') };

/** Matches and their statistics. */
export const matchRows = [
  read({
    id: 'getMatch',
    path: '/matches/{match_id}',
    summary: 'Match details',
    tag,
    params,
    query: {},
    reply: shape({ Match }),
    cacheS: cacheSeconds.live,
    scope: 'data:read',
    answer: (context, { match_id }) => context.document('match', match_id),
  }),
  read({
    id: 'getMatchStats',
    path: '/matches/{match_id}/stats',
    summary: 'Match statistics',
    tag,
    params,
    query: {},
    reply: shape({ MatchStats }),
    cacheS: cacheSeconds.details,
    scope: 'data:read',
    answer: (context, { match_id }) => context.document('match-stats', match_id, { kind: 'match', id: match_id }),
  }),
];
