/** Names of partners below this prefix accept requests and never respond. */
export const hangingPrefix = 'hangs-';
