/** Folders of specs, and that of end-to-end tests. */
export const specFolders = ['apps', 'k8s', 'libs', 'tools', 'docs', 'sdk', 'bench'] as const;
export const journeyFolder = 'e2e';

/** Arguments of one run of jest for specs and of one for end-to-end tests; null where none was asked for. */
export interface ChosenSpecs {
  readonly specs: readonly string[] | null;
  readonly journeys: readonly string[] | null;
}

/**
 * Divides the arguments of `npm test` by the folder in which a path, or the beginning of one, lies. All other arguments are
 * jest's own and go to both runs; without any path they choose among specs.
 */
export function chosenSpecs(args: readonly string[]): ChosenSpecs {
  const journeys = args.filter((arg) => isBelow(arg, [journeyFolder]));
  const specs = args.filter((arg) => isBelow(arg, specFolders));
  const options = args.filter((arg) => !journeys.includes(arg) && !specs.includes(arg));
  return {
    specs: specs.length > 0 || journeys.length === 0 ? [...specs, ...options] : null,
    journeys: journeys.length > 0 ? [...journeys, ...options] : null,
  };
}

function isBelow(arg: string, folders: readonly string[]): boolean {
  return folders.includes(arg.replace(/^\.\//, '').split(/[/.]/, 1)[0]);
}
