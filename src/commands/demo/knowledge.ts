import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import type { FoundKnowledge, ShownJob } from '../../core/knowledge/schema.ts';
import { DEMO_FAQ } from '../../demo/faq.ts';

const VECTORS = '/api/v1/runtime/v1/vectors';
const STORE = 'help';
const QUESTION = { query: 'How long does a refund take?', limit: 1 };

/** Resolves once search finds it. */
export async function ingestFaq({ url, key }: { url: string; key: string }): Promise<void> {
  const form = new FormData();
  form.append('vectorStore', STORE);
  form.append('file', new Blob([DEMO_FAQ]), 'faq.md');
  const { jobId } = await ask<{ jobId: string }>(`${url}${VECTORS}/files/ingest`, key, { method: 'POST', body: form });
  for (;;) {
    const job = await ask<ShownJob>(`${url}${VECTORS}/ingestion-jobs/${jobId}`, key);
    if (job.status === 'completed') return;
    if (job.status === 'failed') throw new Error(`faq.md was not ingested: ${job.error}`);
    await sleep(20);
  }
}

export async function showPassage(client: Client, say: (line: string) => void): Promise<void> {
  const { structuredContent } = await client.callTool({ name: 'search_knowledge', arguments: QUESTION });
  const { results } = structuredContent as unknown as FoundKnowledge;
  say('"What do we tell customers about refunds?"\n');
  say(`  search_knowledge ${JSON.stringify(QUESTION)}\n`);
  for (const { text, source } of results) {
    say(`  ${text.replaceAll('\n', ' ')}`);
    say(`  Source: ${source.name}, ${source.heading}, line ${source.line}.`);
  }
}

async function ask<Answer>(url: string, key: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { ...init, headers: { 'x-api-key': key } });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}
