import * as fs from 'node:fs';
import * as path from 'node:path';
import { toolsFolder } from '../checks/tools';

/**
 * Where Go keeps modules and what it has compiled, until a build is complete: an interrupted one goes on from there. It is a
 * folder of ours, because a control plane and its modules take gigabytes that nothing else on the machine would use again.
 */
export const goWorkshop = path.join(toolsFolder, 'go-cluster');

/** The environment of Go in the workshop. */
export function goEnvironment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    GOPATH: goWorkshop,
    GOMODCACHE: path.join(goWorkshop, 'modules'),
    GOCACHE: path.join(goWorkshop, 'compiled'),
    GOFLAGS: '-mod=readonly -modcacherw -trimpath -buildvcs=false',
    GOTOOLCHAIN: 'local',
    GOWORK: 'off',
    CGO_ENABLED: '0',
    // The compiler collects its garbage less often: a quarter less time, at most 200 MB more for each of two packages at once.
    GOGC: '300',
  };
}

/** Removes the workshop once everything that is made in it has been made. */
export function removeGoWorkshop(): void {
  fs.rmSync(goWorkshop, { recursive: true, force: true });
}
