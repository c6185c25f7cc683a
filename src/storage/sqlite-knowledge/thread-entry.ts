import { parentPort, workerData } from 'node:worker_threads';
import { answerCalls } from '../../threads/call-thread.ts';
import { Knowledge, type KnowledgeOptions, type WriterMethods } from './knowledge.ts';

/** The entry of the knowledge thread, the single writer. */
await answerCalls<WriterMethods>(parentPort!, async ({ fault }) =>
  new Knowledge(workerData as KnowledgeOptions, fault).methods(),
);
