/** Retention, backup and erasure. */
export const dataSettings = {};
