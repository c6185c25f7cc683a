import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ClaimedJob, KnowledgeStore } from '../../../src/core/knowledge/store.ts';
import { batch, chunk, type KnowledgeBackend, leaseOf, newJob, openStore, plan, planted, ROOM } from './backend.ts';
import { Model } from './model.ts';

const TENANTS = ['one', 'two'] as const;
const STORES = ['a', 'b'] as const;
const WORDS = ['alpha', 'beta', 'gamma', 'delta'];
/** In steps: short, so that many lose a lease and continue as if they held it. */
const LEASE = 3;
/** Each step takes an hour: the seconds that it really takes make no difference. */
const STEP_MS = 3_600_000;

const tenant = fc.constantFrom(...TENANTS);
const store = fc.constantFrom(...STORES);
const which = fc.nat();
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      ...{ tenant, store },
      sourceId: fc.constantFrom(null, 'x', 'y'),
      fingerprint: fc.nat(30).map(String),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('claim' as const) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('commit' as const),
      which,
      texts: fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }),
      isDeduped: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'complete',
        'complete',
        'fail',
        'release',
        'restart',
        'renew',
        'cancel',
        'delete',
        'settle',
      ),
      which,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), tenant, store }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const pick = <Item>(items: Item[], place: number): Item | undefined => items[place % Math.max(items.length, 1)];
const digest = (text: string) => createHash('sha256').update(text).digest();

class ModelRun {
  store: KnowledgeStore;
  private readonly model = new Model();
  private readonly claims: ClaimedJob[] = [];
  private readonly backend: KnowledgeBackend;
  private readonly at: string;
  private readonly reopen: () => Promise<KnowledgeStore>;
  private readonly hasVectors: boolean;
  private now = 100;

  constructor(
    backend: KnowledgeBackend,
    opened: { store: KnowledgeStore; at: string },
    reopen: () => Promise<KnowledgeStore>,
  ) {
    this.backend = backend;
    this.store = opened.store;
    this.at = opened.at;
    this.reopen = reopen;
    this.hasVectors = backend.covers !== 'without vectors';
  }

  async take(taken: Step): Promise<void> {
    this.now += 1;
    await this.backend.passTime(this.at, STEP_MS);
    const { model, now } = this;
    switch (taken.kind) {
      case 'create': {
        const { tenant: tenantId, store: vectorStore, sourceId, fingerprint } = taken;
        const job = newJob({
          vectorStore,
          sourceId,
          fingerprint,
          embedder: this.hasVectors ? 'test/x' : 'none',
          now,
        });
        assert.equal((await this.store.createJob(tenantId, job, ROOM)).outcome, model.create(tenantId, job));
        return;
      }
      case 'claim': {
        const claimed = await this.store.claim({ now, leaseMs: LEASE * STEP_MS });
        const expected = model.claim(now, now + LEASE);
        assert.equal(claimed?.job.jobId, expected?.job.jobId);
        if (!claimed || !expected) return;
        const { fence, attempts, checkpoint, chunks } = expected;
        assert.deepEqual(
          [claimed.fence, claimed.attempts, claimed.checkpoint, claimed.job.processedChunks],
          [fence, attempts, checkpoint, chunks.length],
        );
        this.claims.push(claimed);
        return;
      }
      case 'drop':
        assert.equal(await this.store.dropStore(taken.tenant, taken.store, now), model.drop(taken.tenant, taken.store));
        return;
      case 'reopen':
        this.store = await this.reopen();
        if (!this.backend.isShared) model.reopen();
        return;
      case 'commit':
        return this.commit(taken);
      default:
        return this.change(taken.kind, taken.which);
    }
  }

  private async commit({ which: place, texts, isDeduped }: Extract<Step, { kind: 'commit' }>): Promise<void> {
    const claim = pick(this.claims, place);
    if (!claim) return;
    const held = this.model.holds(claim);
    const [checkpoint, leaseUntil] = [{ at: this.now }, this.now + LEASE];
    // A job drops duplicates from its beginning on, or never.
    const drops = held?.checkpoint ? isDroppingOf(held.checkpoint) : isDeduped;
    const next = { ...checkpoint, drops };
    const embedded =
      texts.length === 0 || !this.hasVectors ? null : planted(...texts.map((text) => [1, WORDS.indexOf(text)]));
    const units = drops ? texts.map(digest) : null;
    const chunks = texts.map((text) => chunk(text));
    const stored = await this.store.commit(
      leaseOf(claim),
      batch(chunks, { embedded, units, checkpoint: next, leaseMs: LEASE * STEP_MS }),
    );
    assert.equal(stored, held && this.model.commit(held, texts, drops, next, leaseUntil));
  }

  private async change(kind: string, place: number): Promise<void> {
    const { model, now } = this;
    const claim = pick(this.claims, place);
    const held = claim ? model.holds(claim) : null;
    const one = pick(model.jobs, place);
    if (kind === 'settle') await this.store.settle();
    if (kind === 'cancel' && one) {
      const isOpen = model.open().includes(one);
      assert.equal(await this.store.cancelJob(one.tenantId, one.job.jobId, 'cancelled', now), isOpen);
      if (isOpen) model.end(one, 'failed', 'cancelled');
    }
    if (kind === 'delete' && one) {
      const { job, tenantId, isFound } = one;
      assert.equal(await this.store.deleteDocument(tenantId, job.vectorStore, job.documentId, now), isFound);
      one.isFound = false;
    }
    if (!claim) return;
    const lease = leaseOf(claim);
    switch (kind) {
      case 'complete':
        assert.equal(await this.store.complete(lease, now), held !== null);
        if (held) model.complete(held);
        return;
      case 'fail':
        assert.equal(await this.store.fail(lease, 'broken', now), held !== null);
        if (held) model.end(held, 'failed', 'broken');
        return;
      case 'release':
        await this.store.release(lease, place % 2 === 0);
        if (held) Object.assign(held, { leaseUntil: 0, attempts: place % 2 === 0 ? held.attempts : 0 });
        return;
      case 'restart':
        assert.equal(await this.store.restart(lease), held !== null);
        if (held) Object.assign(held, { chunks: [], checkpoint: null });
        return;
      case 'renew':
        assert.equal(await this.store.renew(lease, LEASE * STEP_MS), held !== null);
        if (held) held.leaseUntil = now + LEASE;
    }
  }

  async check(): Promise<void> {
    for (const tenantId of TENANTS) for (const vectorStore of STORES) await this.checkStore(tenantId, vectorStore);
    const of = (status: string) => this.model.jobs.filter((one) => one.status === status).length;
    assert.deepEqual(await this.store.stats(), { queued: of('queued'), processing: of('processing') });
  }

  private async checkStore(tenantId: string, vectorStore: string): Promise<void> {
    const ofName = this.model.jobs.filter((one) => one.tenantId === tenantId && one.store.name === vectorStore);
    const jobs = await this.store.listJobs(tenantId, { vectorStore, status: null, limit: 1_000, offset: 0 });
    assert.deepEqual(
      jobs.map(({ jobId, status, error, processedChunks }) => [jobId, status, error, processedChunks]),
      ofName.map(({ job, status, error, chunks }) => [job.jobId, status, error, chunks.length]).reverse(),
    );
    const found = ofName.filter(({ isFound }) => isFound);
    const { items, total } = await this.store.listDocuments(tenantId, { vectorStore, limit: 1_000, offset: 0 });
    const listed = items.map(({ documentId, chunks }) => [documentId, chunks]).sort();
    assert.deepEqual(listed, found.map(({ job, chunks }) => [job.documentId, chunks.length]).sort());
    const chunks = found.flatMap(({ job, chunks: texts }) => texts.map((text, index) => [job.documentId, index, text]));
    const known = await this.store.findStore(tenantId, vectorStore);
    const expected = this.model.store(tenantId, vectorStore) ? [found.length, chunks.length] : undefined;
    assert.deepEqual([total, known && [known.documents, known.chunks]], [found.length, expected ?? null]);
    const asked = [{ text: WORDS.join(' ') }, ...(this.hasVectors ? [{ vector: Float32Array.of(1, 1) }] : [])];
    for (const wanted of asked) {
      const answer = await this.store.search(tenantId, plan({ store: vectorStore, limit: 1_000, ...wanted }));
      const hits = answer?.hits.map(({ documentId, chunkIndex, text }) => [documentId, chunkIndex, text]).sort();
      assert.deepEqual(hits, expected && chunks.sort(), Object.keys(wanted)[0]);
    }
  }
}

function isDroppingOf(checkpoint: object): boolean {
  return (checkpoint as { drops: boolean }).drops;
}

export function testRandomSteps(backend: KnowledgeBackend, runs = 2): void {
  test(`KnowledgeStore (${backend.name}): random steps match a model of plain arrays`, async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
        let current = await openStore(t, backend);
        const run = new ModelRun(backend, current, async () => {
          await current.close();
          current = await openStore(t, backend, current.at);
          return current.store;
        });
        try {
          for (const [index, taken] of steps.entries()) {
            await run.take(taken);
            // Most faults still show some steps later.
            if (index % 5 === 0 || index === steps.length - 1) await run.check();
          }
        } finally {
          await current.close();
        }
      }),
      { numRuns: runs },
    );
  });
}
