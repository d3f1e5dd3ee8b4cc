/** Sets how long further statements of a session wait for a lock, in Postgres' notation. */
export async function setLockTimeout(send: (statement: string) => Promise<unknown>, timeout: string): Promise<void> {
  await send(`SET lock_timeout = '${timeout}'`);
}
