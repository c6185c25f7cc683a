/** Reviews, queues, rubrics and statistics. */
export const reviews = {};
