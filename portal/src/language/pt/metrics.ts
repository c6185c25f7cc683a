/** Metrics, terms, segments, annotations and explanations. */
export const metrics = {};
