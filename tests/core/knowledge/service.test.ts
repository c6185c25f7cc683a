import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from '../../../src/core/base/shared/caller.ts';
import { type KnowledgeParts, KnowledgeService } from '../../../src/core/knowledge/service.ts';

const CALLER = { tenantId: 'one', agentId: null, scopes: ['knowledge:write'], timezone: 'UTC' } as unknown as Caller;
const FILE = { name: 'a.txt', upload: { id: 'upload', size: 7, sha256: 'x' } };

/** A service whose store has just taken or found the job of the file. */
function serviceAfter(outcome: 'created' | 'running') {
  const job = { jobId: 'job', createdAt: 0, startedAt: null, completedAt: null };
  const fail = async () => {
    throw new Error('the disk fails');
  };
  const noted: unknown[] = [];
  const parts = {
    store: { createJob: async () => ({ outcome, job, stored: 107 }), storedBytes: fail },
    uploads: { remove: fail },
    embedders: { configured: 'none', of: () => null },
    effects: { newId: () => 'id', now: () => 0 },
    ingestion: { wake: () => undefined },
    agents: { register: async () => undefined },
    quota: { limit: async () => 1_000, note: (_caller: unknown, state: unknown) => noted.push(state) },
    limits: {},
  } as unknown as KnowledgeParts;
  return { service: new KnowledgeService(parts), noted };
}

test('KnowledgeService: what fails after the job is stored does not fail the upload', async () => {
  for (const outcome of ['created', 'running'] as const) {
    const { service, noted } = serviceAfter(outcome);
    const { job, isNew } = await service.ingest(CALLER, { fields: { vectorStore: 'manuals' }, file: FILE });
    assert.deepEqual([job.jobId, isNew], ['job', outcome === 'created']);
    assert.deepEqual(noted, isNew ? [{ limit: 1_000, stored: 107 }] : [], 'the quota counts the new file');
  }
});
