import { TopicRow, topics } from '@podium/messages';

/** What the command line works with; a test gives its own. */
export interface CliEnvironment {
  readonly env: NodeJS.ProcessEnv;
  readonly readStdin: () => Promise<string>;
  /** Asks the person and returns what they typed; missing where nobody can be asked. */
  readonly ask?: (question: string) => Promise<string>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Instead of the topics table. */
  readonly topics?: readonly TopicRow[];
}

/** The topics that commands work on. */
export function topicRowsOf(environment: CliEnvironment): readonly TopicRow[] {
  return environment.topics ?? Object.values<TopicRow>(topics);
}
