/** The environment of Java programs: in the locale `C` they could not open a path with characters beyond ASCII. */
export function javaEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, LC_ALL: 'C.UTF-8' };
}
