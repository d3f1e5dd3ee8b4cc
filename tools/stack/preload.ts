/**
 * NODE_OPTIONS of a Node process that loads these modules first, beside the options that this process has itself. Quoted: a
 * checkout may lie in a folder whose name has spaces.
 */
export function preloading(...files: readonly string[]): string {
  const options = files.map((file) => `--require=${JSON.stringify(file)}`);
  return [process.env.NODE_OPTIONS, ...options].filter(Boolean).join(' ');
}
