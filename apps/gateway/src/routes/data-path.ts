/** Where the data edge is; below it answers have its shape. */
export const dataPath = '/data/v4';

/** Whether a request's target, path and query, lies at the data edge. */
export function isDataTarget(target: string | undefined): boolean {
  if (target === undefined || !target.startsWith(dataPath)) return false;
  const next = target.charAt(dataPath.length);
  return next === '' || next === '/' || next === '?' || next === '#';
}
