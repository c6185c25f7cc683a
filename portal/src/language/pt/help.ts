/** Chapters of the docs and keyboard help. */
export const help = {};
