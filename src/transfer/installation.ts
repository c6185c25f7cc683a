import type { EventStore } from '../core/analytics/events/store.ts';
import type { MovableKeyRing } from '../core/base/sealing/rotation.ts';
import { conflict } from '../core/base/shared/errors.ts';
import type { KnowledgeStore } from '../core/knowledge/store.ts';
import type { StateDatabase } from '../storage/state/sql/database.ts';
import { dialectOf } from '../storage/state/sql/dialect.ts';
import { copyDocuments, digestDocuments, endInterrupted } from './documents.ts';
import { copyEvents, digestEvents, settleEvents } from './events.ts';
import { atOneMoment, copyState, countState, digestTable, MOVED_TABLES } from './state.ts';

/** Everything that is stored, wherever it is. */
export interface TransferPlace {
  id: string;
  state: StateDatabase;
  events: EventStore;
  knowledge: KnowledgeStore;
  ring: MovableKeyRing;
}

/** The result of a comparison at the end. */
export interface Comparison {
  /** `state`, or `events` and `documents` of a tenant by its name. */
  what: string;
  rows: number;
  isEqual: boolean;
}

export interface Progress {
  /**
   * Rows of state, events and chunks of documents that are to be read, those that are compared as
   * well.
   */
  onTotal(rows: number): unknown;
  onRows(rows: number): void;
  onStep(step: string): void;
  wait(ms: number): Promise<unknown>;
}

/**
 * Makes `to` equal to `from`, and compares both. Can be repeated: what is there already is not
 * doubled, and what was removed from `from` meanwhile goes, except events. Throws `conflict` if
 * `to` has other contents, or servers use it.
 */
export async function copyInstallation(
  from: TransferPlace,
  to: TransferPlace,
  progress: Progress,
): Promise<Comparison[]> {
  await claimTarget(from, to);
  progress.onStep('state');
  await progress.onTotal(await countReads(from));
  const { tenants, state } = await atOneMoment(from.state, (read) => copyStateOf(read, to, progress.onRows));
  // Afterwards, so that none is missing that sealed a row.
  await to.ring.adopt(await from.ring.openedKeys());
  // Events that were accepted and are not visible yet belong to it.
  await settleEvents(from.events, progress.wait);
  for (const { id } of tenants) await endInterrupted(to.knowledge, id);
  const compared: Comparison[] = [state];
  for (const tenant of tenants) {
    compared.push(await copyEventsOf(tenant, { from, to }, progress));
    compared.push(await copyDocumentsOf(tenant, { from, to }, progress));
  }
  if (await hasBegun(from, to)) return compared;
  const message =
    'A server has started on the target, so it may differ. Stop it, name an empty database or directory, and run this again.';
  throw conflict(message);
}

interface Both {
  from: TransferPlace;
  to: TransferPlace;
}

interface Tenant {
  id: string;
  name: string;
}

async function copyEventsOf({ id, name }: Tenant, { from, to }: Both, progress: Progress): Promise<Comparison> {
  const { onRows, wait } = progress;
  const what = `events of ${name}`;
  progress.onStep(what);
  const copied = await copyEvents(from.events, to.events, id, { onEvents: onRows, wait });
  await settleEvents(to.events, wait);
  progress.onStep(`comparing ${what}`);
  const arrived = await digestEvents(to.events, id, onRows);
  return { what, rows: copied.events, isEqual: copied.checksum === arrived.checksum };
}

async function copyDocumentsOf({ id, name }: Tenant, { from, to }: Both, progress: Progress): Promise<Comparison> {
  const { onRows } = progress;
  const what = `documents of ${name}`;
  progress.onStep(what);
  await copyDocuments(from.knowledge, to.knowledge, id, onRows);
  progress.onStep(`comparing ${what}`);
  const there = await digestDocuments(from.knowledge, id, onRows);
  const arrived = await digestDocuments(to.knowledge, id, onRows);
  return { what, rows: there.documents, isEqual: there.checksum === arrived.checksum };
}

async function copyStateOf(from: StateDatabase, to: TransferPlace, onRows: (rows: number) => void) {
  const tenants = await tenantsOf(from);
  await eraseOthers(to, new Set(tenants.map(({ id }) => id)));
  await copyState(from, to.state, onRows);
  return { tenants, state: await compareState(from, to.state, onRows) };
}

/** Before their rows go: what has no tenant could not be erased any more. */
async function eraseOthers({ state, events, knowledge }: TransferPlace, kept: Set<string>): Promise<void> {
  const others = (await tenantsOf(state)).filter(({ id }) => !kept.has(id));
  for (const { id } of others) {
    await events.erase(id, {});
    await knowledge.erase(id, Date.now());
  }
  if (others.length > 0) await knowledge.settle();
}

function tenantsOf(state: StateDatabase): Promise<Tenant[]> {
  return state.selectFrom('tenants').select(['id', 'name']).orderBy('id').execute();
}

async function compareState(
  from: StateDatabase,
  to: StateDatabase,
  onRows: (rows: number) => void,
): Promise<Comparison> {
  let rows = 0;
  let isEqual = true;
  for (const table of MOVED_TABLES) {
    const [one, other] = [await digestTable(from, table, onRows), await digestTable(to, table, onRows)];
    rows += one.rows;
    isEqual &&= one.sha256 === other.sha256;
  }
  return { what: 'state', rows, isEqual };
}

/**
 * Rows and chunks are read to be copied, and at both sides to be compared; events at the source
 * once.
 */
async function countReads({ state, events, knowledge }: TransferPlace): Promise<number> {
  let count = 3 * (await countState(state));
  for (const { id } of await tenantsOf(state)) {
    for (const known of await events.knownEvents(id, null)) count += 2 * known.events;
    for (const { chunks } of await knowledge.listStores(id)) count += 3 * chunks;
  }
  return count;
}

/**
 * An empty place, or one that an earlier copy of the same installation began to fill, and where no
 * server has started.
 */
async function claimTarget(from: TransferPlace, to: TransferPlace): Promise<void> {
  const { state } = to;
  const begun = await hasBegun(from, to);
  const tenant = await state.selectFrom('tenants').select('name').executeTakeFirst();
  if (tenant && !begun) {
    const found = `The target has tenants of its own (${tenant.name}), or a server has started there since the last run.`;
    const message = `${found} Nothing was copied: it would remove what was written there. Name an empty database or directory.`;
    throw conflict(message);
  }
  const running = await state
    .selectFrom('runners')
    .select('id')
    .where('alive_until', '>', dialectOf(state).now)
    // The owner of a data directory stays listed after its end; the caller owns the directory now.
    .where('alive_until', '<', Number.MAX_SAFE_INTEGER)
    .executeTakeFirst();
  if (running) {
    const message =
      'A server uses the target. Stop all of them (one that was killed counts for a minute), and run this again.';
    throw conflict(message);
  }
  if (!begun)
    await state
      .insertInto('installation')
      .values({ fact: factOf(from), at: Date.now() })
      .execute();
}

/** Servers forget the fact when they start. */
async function hasBegun(from: TransferPlace, { state }: TransferPlace): Promise<boolean> {
  const found = state.selectFrom('installation').select('fact').where('fact', '=', factOf(from));
  return (await found.executeTakeFirst()) !== undefined;
}

function factOf({ id }: TransferPlace): string {
  return `import ${id}`;
}
