/** Shared tabs and their links. */
export const shared = {};
