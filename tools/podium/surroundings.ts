/** What the command line works with; a test gives its own. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly readStdin: () => Promise<string>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}
