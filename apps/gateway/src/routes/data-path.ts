/** The path of the data API; errors below it have their own format. */
export const dataPath = '/data/v4';

/** Whether a request's target, path and query, belongs to the data API. */
export function isDataTarget(target: string | undefined): boolean {
  if (target === undefined || !target.startsWith(dataPath)) return false;
  const next = target.charAt(dataPath.length);
  return next === '' || next === '/' || next === '?' || next === '#';
}
