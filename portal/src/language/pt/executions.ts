/** Executions, threads and transcripts. */
export const executions = {};
