/** How long a linking flow stays open while the user is at the partner, seconds. */
export const linkFlowLifetimeS = 600;

/** How long a callback may take from the use of its flow to the stored link, with a margin, seconds. */
export const callbackLifetimeS = 60;

/** Most open linking flows of a user; a new one ends the oldest. */
export const openFlowsMax = 5;

/** How long the cookie that binds flows to a browser lives; longer than a flow, so that one secret serves several, seconds. */
export const flowCookieLifetimeS = 3600;

/** How long a user may take at the identity provider, seconds. */
export const loginLifetimeS = 600;
