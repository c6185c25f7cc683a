/** The chat playground. */
export const chat = {};
