import type { Erasure, KnownEvent } from '../../../../core/analytics/events/store.ts';
import type { StoreObserver } from '../observer.ts';
import type { OpenFiles } from '../open-files.ts';
import type { Quarantined } from '../write/quarantine.ts';
import { firstSeen, idsToForget, type Removed, removeEvents, removeTenant } from './removal.ts';

export interface Surroundings {
  exclusively: (use: () => Promise<number>, urgent: boolean) => Promise<number>;
  visiblePosition: () => number;
}

export class Remover {
  private readonly parts: OpenFiles;
  private readonly observer: StoreObserver;
  private readonly store: Surroundings;

  constructor(parts: OpenFiles, observer: StoreObserver, store: Surroundings) {
    this.parts = parts;
    this.observer = observer;
    this.store = store;
  }

  /** The caller has flushed the spool. */
  erase(tenantId: string, erasure: Erasure): Promise<number> {
    const { catalogue, database, spool } = this.parts;
    const some = partOf(erasure);
    return this.removing(tenantId, true, async () => {
      const refused = this.eraseRefused(tenantId, some);
      if (some) {
        const events = await this.removeSome(tenantId, some);
        await this.forgetErased();
        return refused + events;
      }
      const paths = catalogue.find(tenantId);
      const events = paths ? await removeTenant(database.write, paths, this.observer) : 0;
      catalogue.forget(tenantId);
      await this.forgetErased();
      // A tenant without events in the tables may have ids in the spool.
      if (!paths) spool.eraseIds(tenantId, this.store.visiblePosition());
      return refused + events;
    });
  }

  async expire(tenantId: string, before: number, known: KnownEvent[]): Promise<number> {
    const { catalogue, quarantine } = this.parts;
    quarantine.remove((entry) => entry.tenantId === tenantId && Date.parse(entry.at) < before);
    const isListed = catalogue.find(tenantId)?.listedAll ?? true;
    if (isListed && !known.some(({ firstSeen }) => firstSeen < before)) return 0;
    return this.removing(tenantId, false, () => this.removeSome(tenantId, { before }));
  }

  /** For each tenant, the earliest time that `expire` looks for; null: unknown. */
  async oldest(): Promise<Record<string, number | null>> {
    const { database, quarantine } = this.parts;
    const oldest = new Map(await firstSeen(database.writer));
    for (const { tenantId, at } of quarantine.find(() => true)) {
      const known = oldest.get(tenantId);
      if (known !== null) oldest.set(tenantId, Math.min(known ?? Number.POSITIVE_INFINITY, Date.parse(at)));
    }
    return Object.fromEntries(oldest);
  }

  /** False if a failure has left some; the next opening repeats it. */
  async hasForgottenErased(): Promise<boolean> {
    return (await idsToForget(this.parts.database.writer)).length === 0;
  }

  /** Also those that a crash has left. */
  async forgetErased(): Promise<void> {
    const { database, spool } = this.parts;
    const forgotten = await idsToForget(database.writer);
    if (forgotten.length === 0) return;
    for (const { tenantId, ids } of forgotten) {
      if (ids === null) spool.eraseIds(tenantId, this.store.visiblePosition());
      else spool.callerIds.erase(tenantId, ids);
    }
    await database.writer.run('DELETE FROM ids_to_forget');
  }

  private async removing(tenantId: string, urgent: boolean, use: () => Promise<number>): Promise<number> {
    try {
      return await this.store.exclusively(use, urgent);
    } finally {
      // After an error too: a failed commit may have succeeded.
      this.parts.resultCache.changed(tenantId);
    }
  }

  private eraseRefused(tenantId: string, some: Part | null): number {
    const { quarantine, spool } = this.parts;
    const isErased = (entry: Quarantined) => entry.tenantId === tenantId && (some === null || isOf(entry, some));
    const refused = quarantine.find(isErased);
    // The line is removed last: an erasure repeated after a crash must find it.
    spool.callerIds.erase(
      tenantId,
      refused.flatMap(({ content }) => idIn(content)),
    );
    quarantine.remove(isErased);
    return refused.length;
  }

  private async removeSome(tenantId: string, removed: Removed): Promise<number> {
    const { catalogue, database } = this.parts;
    const paths = catalogue.find(tenantId);
    if (!paths) return 0;
    const { events, vanished } = await removeEvents(database.write, paths, removed, this.observer);
    catalogue.forgetNames(tenantId, vanished);
    return events;
  }
}

type Part = Exclude<Removed, { before: number }>;

/** Null: everything of the tenant. */
function partOf(erasure: Erasure): Part | null {
  if ('executionIds' in erasure) return erasure;
  return erasure.threadId === undefined ? null : { threadId: erasure.threadId };
}

function isOf({ content }: Quarantined, part: Part): boolean {
  const ids = 'threadId' in part ? [part.threadId] : part.executionIds;
  // An unreadable batch is removed as a whole if it contains one of the ids.
  if (typeof content === 'string') return ids.some((id) => content.includes(JSON.stringify(id)));
  if (typeof content !== 'object' || content === null) return false;
  const { threadId, executionId } = content as Partial<Record<string, unknown>>;
  if ('threadId' in part) return threadId === part.threadId;
  return threadId === null && part.executionIds.includes(executionId as string);
}

function idIn(content: unknown): string[] {
  const isEvent = typeof content === 'object' && content !== null && 'id' in content;
  return isEvent && typeof content.id === 'string' ? [content.id] : [];
}
