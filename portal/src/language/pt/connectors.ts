/** Connectors to external APIs. */
export const connectors = {};
