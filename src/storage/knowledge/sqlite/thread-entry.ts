import { parentPort, workerData } from 'node:worker_threads';
import { answerCalls } from '../../../threads/call-thread.ts';
import type { RowsStore } from '../rows/store.ts';
import { type KnowledgeOptions, openWriter } from './knowledge.ts';

await answerCalls<RowsStore>(parentPort!, async ({ fault }) => openWriter(workerData as KnowledgeOptions, fault));
