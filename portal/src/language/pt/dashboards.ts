/** Dashboards and how a card is shown. */
export const dashboards = {};
