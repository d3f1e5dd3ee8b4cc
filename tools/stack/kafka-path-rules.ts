import { StackFailure } from './failure';
import { StackFolders } from './folders';

/**
 * Kafka takes a comma in `log.dirs` for the end of a folder's path, and Java a colon in the class path. Java 17 also loads no
 * class below a character that UTF-16 writes as two units.
 */
const unusableCharacter = /[,:\u{10000}-\u{10ffff}]/u;

/** Refuses a checkout that Kafka could not run in. */
export function refuseUnusablePath({ data, cache }: Pick<StackFolders, 'data' | 'cache'>): void {
  const unusable = [data, cache].find((each) => unusableCharacter.test(each));
  if (unusable === undefined) return;
  throw new StackFailure(
    `Kafka cannot use ${unusable}, because the path has a comma, a colon or an emoji: move the checkout to a folder without, or give the addresses of running brokers in KAFKA_BROKERS.`,
  );
}
