import { CheckResult } from '../checks/check-list';
import { Overlay, nameOf } from '../checks/overlays';

/** The longest names to which controllers can append without truncating a pod's name. */
const longest: Readonly<Record<string, number>> = { Deployment: 46, StatefulSet: 52, Job: 57, CronJob: 46 };

const label = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

/**
 * Names of objects that create pods must be valid host names (RFC 1123, a label without dots): an API server warns of
 * others. The tag of a release is part of such a name.
 */
export function podNames(overlays: readonly Overlay[]): CheckResult {
  const makers = overlays.flatMap((overlay) =>
    overlay.objects.filter(({ kind }) => kind in longest).map((object) => ({ overlay, object })),
  );
  const problems = makers.flatMap(({ overlay, object }) => {
    const { name } = object.metadata;
    const most = longest[object.kind];
    const rules: [boolean, string][] = [
      [
        label.test(name),
        'has a name that is not a valid host name: use lower-case letters, digits and hyphens, in its tag too',
      ],
      [name.length <= most, `has a name of ${name.length} characters, and at most ${most} are allowed`],
    ];
    return rules.filter(([holds]) => !holds).map(([, problem]) => `${overlay.name}: ${nameOf(object)} ${problem}`);
  });
  return { detail: `${makers.length} name prefixes of pods`, problems };
}
