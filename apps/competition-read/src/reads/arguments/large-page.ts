import { maxPageBytes } from '../../page-texts/page-texts.queries';
import { refuseArgument } from './parameter';

/** Refuses a page whose texts have more than `maxPageBytes` together: 400 that names the limit. */
export function refuseLargePage(): never {
  return refuseArgument(
    'limit',
    `what this page shows has more than ${maxPageBytes / 1024 ** 2} MiB together; ask for fewer`,
  );
}

/** The texts of a page, which is refused if it had no room for one of them. */
export function wholePage(texts: readonly string[]): readonly string[] {
  return texts.includes('') ? refuseLargePage() : texts;
}
