import { existsSync, readFileSync, statSync } from 'node:fs';

const folder = new URL('public/sdk/', import.meta.url);

/** The archives of the SDKs with their sums, as the build has written them; none before it has. */
export default {
  watch: ['./public/sdk/sha256sums.txt'],
  load() {
    const sums = new URL('sha256sums.txt', folder);
    if (!existsSync(sums)) return [];
    return readFileSync(sums, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/))
      .map(([sha256, name]) => ({ name, sha256, bytes: statSync(new URL(name, folder)).size }));
  },
};
