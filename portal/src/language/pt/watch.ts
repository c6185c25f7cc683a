/** Alerts, digests and how they are sent. */
export const watch = {};
