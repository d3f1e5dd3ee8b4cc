import { extensions, pipelines } from './extensions';
import { chunks, framing } from './framing';
import { headerSyntax, sizes } from './headers';
import { HttpCase } from './http-case';
import { targets, versions } from './targets';

/** Cases over raw connections: framing, headers, targets, versions, extensions. */
export const httpCases: readonly HttpCase[] = [
  ...framing(),
  ...chunks(),
  ...headerSyntax(),
  ...sizes(),
  ...targets(),
  ...versions(),
  ...extensions(),
  ...pipelines(),
];
