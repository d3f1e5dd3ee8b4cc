/** Header in which the gateway names the platform of the caller's key, percent-encoded. */
export const platformHeader = 'x-podium-platform';
