import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openState } from '../../src/app/state.ts';
import { loadConfig } from '../../src/config.ts';
import { NEW_EXECUTION } from '../../src/core/agents/executions/store.ts';
import { shapeOf } from '../../src/core/agents/reviews/training/shape.ts';
import { realEffects } from '../../src/core/base/shared/effects.ts';
import { PRIORITIES, RATINGS, REVIEW_STATUSES } from '../../src/core/base/shared/review-fields.ts';
import { STATE_FILE } from '../../src/storage/installation/names.ts';
import { SqlExecutionStore } from '../../src/storage/state/sql/executions/store.ts';
import { SqlReviewStore } from '../../src/storage/state/sql/reviews/store.ts';
import { openStateDatabase } from '../../src/storage/state/sqlite/database.ts';
import { openStateReader } from '../../src/storage/state/sqlite/reader.ts';
import { Random } from './random.ts';

/** The agent whose reviews have recorded executions, for the export. */
export const RECORDED_AGENT = 'recorded';
const AGENTS = ['vendas', 'suporte', 'cobranca', 'entregas', 'devolucoes'];
const DAY_MS = 86_400_000;

/**
 * A data directory whose default tenant has `reviews` reviews over a year and `recorded` more with executions of some 2 KB,
 * made by the stores themselves. One that is there already is used again.
 */
export async function filledDirectory(
  directory: string,
  { reviews, recorded }: { reviews: number; recorded: number },
  progress: (text: string) => void,
): Promise<string> {
  const dataDir = join(directory, `reviews-${reviews}-${recorded}`);
  const whole = join(dataDir, 'whole');
  if (existsSync(whole)) return dataDir;
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  const state = await openState(loadConfig({ dataDir }, {}, {}));
  const { id: tenantId } = await state.tenants.get('default');
  await state.close();
  const path = join(dataDir, STATE_FILE);
  const database = await openStateDatabase(path);
  // What is lost by a crash is made anew.
  await sql`PRAGMA synchronous = OFF`.execute(database);
  const reader = openStateReader(path);
  const store = new SqlReviewStore(database, reader);
  const executions = new SqlExecutionStore(database);
  const random = new Random(7);
  const begin = Date.now() - 365 * DAY_MS;
  const all = reviews + recorded;
  for (let index = 0; index < all; index++) {
    const createdAt = begin + Math.floor((index / all) * 364 * DAY_MS);
    const review = someReview(random, createdAt, index >= reviews);
    if (review.agentId === RECORDED_AGENT) await executions.put(tenantId, someExecution(random, review), null);
    await store.create(tenantId, review);
    if (index % 100_000 === 0) progress(`${index} of ${all} reviews`);
  }
  await reader.destroy();
  await database.destroy();
  writeFileSync(whole, '');
  return dataDir;
}

function someReview(random: Random, createdAt: number, isRecorded: boolean) {
  const status = random.of(REVIEW_STATUSES);
  const resolvedAt = status === 'resolved' ? createdAt + random.below(3 * DAY_MS) : null;
  return {
    id: realEffects.newId(),
    executionId: realEffects.newId(),
    agentId: isRecorded ? RECORDED_AGENT : random.of(AGENTS),
    rating: random.of(RATINGS),
    status,
    priority: random.of(PRIORITIES),
    comment: random.comment(),
    tags: [`tag-${random.below(50)}`],
    actionTaken: null,
    resolutionNotes: null,
    correctedOutput: isRecorded && random.below(2) === 0 ? random.comment() : null,
    reviewedBy: 'bench',
    updatedBy: null,
    resolvedBy: resolvedAt === null ? null : 'bench',
    resolvedAt,
    createdAt,
    updatedAt: createdAt,
  };
}

function someExecution(random: Random, { executionId, createdAt }: { executionId: string; createdAt: number }) {
  const turns = Array.from({ length: 4 }, (_, index) => ({
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `${random.comment()} ${random.comment()}`,
  }));
  const messages = [{ role: 'system' as const, content: random.comment() }, ...turns];
  return {
    ...NEW_EXECUTION,
    id: executionId,
    idFromCaller: true,
    agentId: RECORDED_AGENT,
    status: 'completed' as const,
    messages: JSON.stringify(messages),
    shape: shapeOf({ messages, output: null }),
    completedAt: createdAt,
    createdAt,
    updatedAt: createdAt,
  };
}
