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

test('/vectors: every route answers 401 without a valid key', async () => {
  const { desk, routes: all } = await filledDesk();
  for (const key of ['', 'nobody']) {
    for (const [name, , , asked] of all) assert.equal((await asked({ ...desk, key })).status, 401, name);
  }
});

test('/vectors: every route requires its scope and names it', async () => {
  const { desk, routes: all } = await filledDesk();
  const others: Scope[] = ['events:read', 'events:write', 'mcp:read', 'chat:write'];
  for (const [name, scope, , asked] of all) {
    const lacking = [...others, scope === 'knowledge:read' ? 'knowledge:write' : 'knowledge:read'] satisfies Scope[];
    const { status, body } = await asked({ ...desk, key: await desk.newKey(lacking) });
    assert.equal(status, 403, name);
    assert.match(body.message ?? '', new RegExp(scope), name);
  }
  for (const [name, scope, , asked] of all) {
    const { status } = await asked({ ...desk, key: await desk.newKey([scope]) });
    assert.ok(status < 300 || status === 409, `${name}: ${status}`);
  }
});

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
