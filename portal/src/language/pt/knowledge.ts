/** Vector stores, documents, jobs and search. */
export const knowledge = {};
