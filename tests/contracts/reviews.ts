import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { ExecutionStore } from '../../src/core/agents/executions/store.ts';
import type { ReviewFilter, ReviewStore, StoredReview } from '../../src/core/agents/reviews/store.ts';
import { openStores, type StateBackend } from './backend.ts';
import { execution } from './execution-store.ts';

export type ReviewBackend = StateBackend<{ reviews: ReviewStore; executions: ExecutionStore }>;

let counter = 0;

export function review(members: Partial<StoredReview> = {}): StoredReview {
  counter += 1;
  return {
    id: `review-${String(counter).padStart(6, '0')}`,
    executionId: `execution ${counter}`,
    agentId: 'support',
    rating: 'bad',
    status: 'pending_review',
    priority: 'medium',
    comment: `Comentário número ${counter}`,
    tags: [],
    actionTaken: null,
    resolutionNotes: null,
    correctedOutput: null,
    reviewedBy: 'somebody',
    updatedBy: null,
    resolvedBy: null,
    resolvedAt: null,
    createdAt: counter * 1_000,
    updatedAt: counter * 1_000,
    ...members,
  };
}

export const HOSTILE = 'q"\\\'; DROP TABLE reviews --\u2028😀\u202e%_* NEAR( a OR b AND NOT ^{x}';
export const ALL = { limit: 1_000, offset: 0 };

/** Opens the backend with helpers for most tests. */
export async function openBackend(t: TestContext, backend: ReviewBackend, place?: string) {
  const { reviews: store, executions, close, at } = await openStores(backend, t, place);
  /** Creates a new one, which must succeed. */
  const create = async (members: Partial<StoredReview> = {}, tenantId = 'one') => {
    const made = review(members);
    assert.equal(await store.create(tenantId, made), 'created');
    return made;
  };
  const record = async (members: Parameters<typeof execution>[0], tenantId = 'one') => {
    const made = execution(members);
    assert.equal(await executions.put(tenantId, made, null), 'kept');
    return made;
  };
  const idsOf = async (filter: ReviewFilter = {}, tenantId = 'one') =>
    (await store.list(tenantId, filter, ALL)).items.map(({ id }) => id);
  return { store, executions, create, record, idsOf, close, at };
}
