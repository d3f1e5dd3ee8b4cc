import { authorizationFindings } from './authorization-findings';
import { FindingRow } from './finding';
import { tokenFindings } from './token-findings';
import { userInfoFindings } from './user-info-findings';

const rows = { ...authorizationFindings, ...tokenFindings, ...userInfoFindings };

/** The code of a finding; never changes its meaning. */
export type FindingCode = keyof typeof rows;

/** Everything that the check can find, by code. */
export const findingCatalogue: Readonly<Record<FindingCode, FindingRow>> = rows;
