import { ModeName } from '@podium/simulated-partner';
import { ModeExpectations, connected, faulty, kept, needsLogin } from './expected';

const unusable = (words: string): ModeExpectations =>
  faulty({ kind: 'malformed', words: `${words}, status 200` }, 'later');
const noSub = unusable('sub is missing, empty or not text');
const refused = (status: number, partnerCode: string): ModeExpectations =>
  faulty({ kind: 'rejected', words: `the partner refused, status ${status}`, partnerCode }, 'later');

/** A new link is made with that account; a link that exists never moves to it. */
const otherAccount: ModeExpectations = { identifying: connected, checking: needsLogin('other_account') };

/** The nickname in the words of the page. */
const named = (nickname: string): ModeExpectations => ({
  identifying: { ...connected, user: `Your account ${nickname}` },
  checking: { ...kept, user: `Connected as ${nickname}` },
});

/** User info: a `sub` that the send-event endpoint would refuse is not linked; a nickname is made safe to show. */
export const userInfoCases = {
  'sub-absent': noSub,
  'sub-empty': noSub,
  'sub-blank': noSub,
  'sub-number': noSub,
  'sub-10-kb': unusable('sub is longer than 255 bytes'),
  'sub-256-bytes': unusable('sub is longer than 255 bytes'),
  'sub-nul': unusable('a string of the body has an unpaired surrogate or NUL'),
  'sub-spaces': otherAccount,
  'sub-changes': otherAccount,
  'nickname-absent': named('sub-'),
  'nickname-null': named('sub-'),
  'nickname-number': named('sub-'),
  'nickname-emoji': named('👩\u200d💻 pro'),
  'nickname-right-to-left': named('evil שלום'),
  'nickname-html': named('<b onclick="alert(1)">x</b>'),
  'invalid-token': refused(401, 'invalid_token'),
  'invalid-token-challenge': refused(401, 'invalid_token'),
  'insufficient-scope': refused(403, 'insufficient_scope'),
} as const satisfies Partial<Record<ModeName, ModeExpectations>>;
