import { TopicRow, topics } from '@podium/messages';

/** Environment, input and output of the command line; a test provides its own. */
export interface CliEnvironment {
  readonly env: NodeJS.ProcessEnv;
  readonly readStdin: () => Promise<string>;
  /** Prompts the user and returns the input; missing without a terminal. */
  readonly ask?: (question: string) => Promise<string>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Replaces the topics table. */
  readonly topics?: readonly TopicRow[];
}

/** The topics that commands work on. */
export function topicRowsOf(environment: CliEnvironment): readonly TopicRow[] {
  return environment.topics ?? Object.values<TopicRow>(topics);
}
