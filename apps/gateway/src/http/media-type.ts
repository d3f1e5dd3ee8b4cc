import { IncomingHttpHeaders } from 'node:http';

const json = /^application\/json\s*(;|$)/i;
const charset = /;\s*charset\s*=\s*"?([^\s;"]+)"?/i;

/** Whether the headers declare JSON in UTF-8 without a content coding (RFC 9110, sections 8.3 and 8.4). */
export function isPlainJson(headers: IncomingHttpHeaders): boolean {
  const coding = headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity') return false;
  const type = headers['content-type'];
  if (type === 'application/json') return true;
  if (type === undefined || !json.test(type)) return false;
  const named = charset.exec(type)?.[1]?.toLowerCase();
  return named === undefined || named === 'utf-8' || named === 'utf8';
}
