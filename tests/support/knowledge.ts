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
  for (;;) {
    const asked = await fetch(`${app.url}${VECTORS}/ingestion-jobs/${accepted.jobId}`, { headers });
    const job = (await asked.json()) as ShownJob;
    if (job.status === 'completed') return job;
    if (job.status === 'failed') throw new Error(`${name} was not ingested: ${job.error}`);
    await sleep(20);
  }
}
