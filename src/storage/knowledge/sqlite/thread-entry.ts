import { parentPort, workerData } from 'node:worker_threads';
import { answerCalls } from '../../../threads/call-thread.ts';
import { Knowledge, type KnowledgeOptions, type WriterMethods } from './knowledge.ts';

await answerCalls<WriterMethods>(parentPort!, async ({ fault }) =>
  new Knowledge(workerData as KnowledgeOptions, fault).methods(),
);
