import { setTimeout as sleep } from 'node:timers/promises';
import type { ShownJob } from '../../src/core/knowledge/schema.ts';
import type { TestApp } from './app.ts';

export const VECTORS = '/api/v1/runtime/v1/vectors';

export interface Ingested {
  name?: string;
  /** The text fields beside the file. */
  fields?: Record<string, string>;
  /** Without, the app's. */
  key?: string;
}

/** Takes a text into a vector store (`help` unless `fields` names another), and waits until it is found. */
export async function ingestText(
  app: Pick<TestApp, 'url' | 'key'>,
  text: string,
  { name = 'help.md', fields = {}, key = app.key }: Ingested = {},
): Promise<ShownJob> {
  const form = new FormData();
  for (const [field, value] of Object.entries({ vectorStore: 'help', ...fields })) form.append(field, value);
  form.append('file', new Blob([text]), name);
  const headers = { 'x-api-key': key };
  const response = await fetch(`${app.url}${VECTORS}/files/ingest`, { method: 'POST', headers, body: form });
  const accepted = (await response.json()) as { jobId: string; message: unknown };
  if (response.status !== 202) throw new Error(`ingest answered ${response.status}: ${accepted.message}`);
  const job = await endOfJob({ url: app.url, key }, accepted.jobId);
  if (job.status === 'failed') throw new Error(`${name} was not ingested: ${job.error}`);
  return job;
}

/** Waits until a job has ended, well or not. */
export async function endOfJob({ url, key }: Pick<TestApp, 'url' | 'key'>, jobId: string): Promise<ShownJob> {
  for (;;) {
    const response = await fetch(`${url}${VECTORS}/ingestion-jobs/${jobId}`, { headers: { 'x-api-key': key } });
    const job = (await response.json()) as ShownJob;
    if (!response.ok) throw new Error(`job ${jobId} answered ${response.status}`);
    if (job.status === 'completed' || job.status === 'failed') return job;
    await sleep(20);
  }
}
