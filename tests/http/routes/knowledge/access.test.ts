import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scope } from '../../../../src/core/base/shared/caller.ts';
import { ask, type Desk, ingested, JOBS, send, storePath, VECTORS } from '../../../support/knowledge.ts';
import { newDesk } from './support.ts';

const TEXT = { name: 'a.txt', content: 'the pump' };

interface Known {
  jobId: string;
  documentId: string;
}

type Ask = (desk: Desk) => Promise<{ status: number; body: { message?: string } }>;

/** Each route with its scope and the status for another tenant. */
const routes = ({ jobId, documentId }: Known): [name: string, scope: Scope, foreign: number, ask: Ask][] => [
  ['ingest', 'knowledge:write', 202, (desk) => send(desk, TEXT)],
  ['job', 'knowledge:read', 403, (desk) => ask(desk, 'GET', `${JOBS}/${jobId}`)],
  ['statusUrl', 'knowledge:read', 403, (desk) => ask(desk, 'GET', `/runtime/v1/vectors/ingestion-jobs/${jobId}`)],
  ['cancel', 'knowledge:write', 403, (desk) => ask(desk, 'POST', `${JOBS}/${jobId}/cancel`)],
  ['stores', 'knowledge:read', 200, (desk) => ask(desk, 'GET', `${VECTORS}/stores`)],
  ['jobs', 'knowledge:read', 404, (desk) => ask(desk, 'GET', `${storePath('manuals')}/ingestion-jobs`)],
  ['documents', 'knowledge:read', 404, (desk) => ask(desk, 'GET', `${storePath('manuals')}/documents`)],
  ['search', 'knowledge:read', 404, (desk) => ask(desk, 'POST', `${storePath('manuals')}/search`, { query: 'pump' })],
  [
    'delete document',
    'knowledge:write',
    403,
    (desk) => ask(desk, 'DELETE', `${storePath('manuals')}/documents/${documentId}`),
  ],
  ['delete store', 'knowledge:write', 404, (desk) => ask(desk, 'DELETE', storePath('manuals'))],
];

async function filledDesk() {
  const desk = await newDesk();
  const job = await ingested(desk, TEXT);
  return { desk, routes: routes(job) };
}

test("/vectors: another tenant's ids are 403, its names unknown", async () => {
  const { desk, routes: all } = await filledDesk();
  // Ingesting last: it would create a store of the same name.
  for (const [name, , foreign, asked] of [...all.slice(1), all[0]!]) {
    const { status, body } = await asked(await newDesk());
    assert.equal(status, foreign, name);
    if (status === 403) assert.match(body.message ?? '', /^This (document|ingestion job) belongs to another tenant\.$/);
    if (status === 404) assert.equal(body.message, 'There is no vector store "manuals". There is none yet.');
  }
  const { body } = await ask(desk, 'GET', `${storePath('manuals')}/documents`);
  assert.equal(body.total, 1, 'and all of it is still there');
});
