/** The fields of a question. */
export const question = {};
