import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { goldenFolder } from '../support/golden-folder.ts';
import { appOfThisFile } from '../support/shared.ts';

const VECTORS = '/api/v1/runtime/v1/vectors';
const sharedApp = appOfThisFile();

/** What is found of a file that was sent with these fields, once it is ingested. */
async function ingested(file: string, vectorStore: string, fields: Record<string, string>) {
  const app = await sharedApp();
  const form = new FormData();
  for (const [name, value] of Object.entries({ vectorStore, ...fields })) form.append(name, value);
  form.append('file', new Blob([readFileSync(join(goldenFolder, file))]), file);
  const sent = await fetch(`${app.url}${VECTORS}/files/ingest`, {
    method: 'POST',
    headers: { 'x-api-key': app.key },
    body: form,
  });
  const { jobId } = (await sent.json()) as { jobId: string };
  assert.equal(sent.status, 202);
  for (;;) {
    const { body: job } = await app.request('GET', `${VECTORS}/ingestion-jobs/${jobId}`);
    if (job.status === 'completed') break;
    assert.notEqual(job.status, 'failed', job.error);
    await sleep(20);
  }
  const search = { query: 'refund transfer', mode: 'lexical' };
  const { body } = await app.request('POST', `${VECTORS}/stores/${vectorStore}/search`, search);
  return body.results.map(({ source, text }: { source: { row: number }; text: string }) => ({ row: source.row, text }));
}

const CLEANED = {
  hygieneStripHtml: 'true',
  hygieneRemoveUrls: 'true',
  hygieneDropEmptyValues: 'true',
  hygieneNormalizeWhitespace: 'true',
  csvContentColumns: 'title,description',
};

test('rows that are the same once they are cleaned are kept once where units are to be deduplicated', async () => {
  const text = 'title: Refunds\ndescription: A refund takes five days.\n\ncard\ntransfer';
  const all = await ingested('csv/messy.csv', 'all', CLEANED);
  assert.deepEqual(all.map(({ row }: { row: number }) => row).sort(), [1, 4]);
  const once = await ingested('csv/messy.csv', 'once', { ...CLEANED, hygieneDedupeUnits: 'true' });
  assert.deepEqual(once, [{ row: 1, text }]);
});
