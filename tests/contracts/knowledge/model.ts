import type { ClaimedJob, NewJob } from '../../../src/core/knowledge/store.ts';

export interface ModelJob {
  job: NewJob;
  tenantId: string;
  store: ModelStore;
  status: 'queued' | 'processing' | 'completed' | 'failed';
  chunks: string[];
  checkpoint: object | null;
  fence: number;
  leaseUntil: number;
  attempts: number;
  error: string | null;
  isFound: boolean;
}

interface ModelStore {
  tenantId: string;
  name: string;
  isDropped: boolean;
}

export class Model {
  readonly jobs: ModelJob[] = [];
  private readonly stores: ModelStore[] = [];
  private turns = new Map<string, number>();

  create(tenantId: string, job: NewJob): 'created' | 'running' {
    const ofName = ({ tenantId: whose, store }: ModelJob) => whose === tenantId && store.name === job.vectorStore;
    if (this.open().some((one) => ofName(one) && one.job.fingerprint === job.fingerprint)) return 'running';
    let store = this.store(tenantId, job.vectorStore);
    if (!store) {
      store = { tenantId, name: job.vectorStore, isDropped: false };
      this.stores.push(store);
    }
    const begun = { status: 'queued' as const, chunks: [], checkpoint: null, fence: 0, leaseUntil: 0, attempts: 0 };
    this.jobs.push({ job, tenantId, store, ...begun, error: null, isFound: false });
    return 'created';
  }

  /** The job to be claimed next; null if none waits. */
  claim(now: number, leaseUntil: number): ModelJob | null {
    const atWork = (tenantId: string) =>
      this.jobs.filter((one) => one.tenantId === tenantId && one.status === 'processing' && one.leaseUntil > now)
        .length;
    const turn = (tenantId: string) => this.turns.get(tenantId) ?? 0;
    const [next] = this.waiting(now).sort(
      (one, other) =>
        atWork(one.tenantId) - atWork(other.tenantId) ||
        turn(one.tenantId) - turn(other.tenantId) ||
        this.jobs.indexOf(one) - this.jobs.indexOf(other),
    );
    if (!next) return null;
    this.turns.set(next.tenantId, now);
    Object.assign(next, { status: 'processing', fence: next.fence + 1, attempts: next.attempts + 1, leaseUntil });
    return next;
  }

  holds({ job: { jobId }, fence }: ClaimedJob): ModelJob | null {
    const found = this.jobs.find(({ job }) => job.jobId === jobId);
    return found?.status === 'processing' && found.fence === fence ? found : null;
  }

  commit(held: ModelJob, texts: string[], isDeduped: boolean, checkpoint: object, leaseUntil: number): number {
    const before = held.chunks.length;
    for (const text of texts) if (!isDeduped || !held.chunks.includes(text)) held.chunks.push(text);
    Object.assign(held, { checkpoint, leaseUntil, attempts: 0 });
    return held.chunks.length - before;
  }

  complete(held: ModelJob): void {
    const { sourceId } = held.job;
    for (const other of this.jobs) {
      if (sourceId !== null && other.store === held.store && other.job.sourceId === sourceId) other.isFound = false;
    }
    this.end(held, 'completed', null);
    held.isFound = true;
  }

  end(one: ModelJob, status: 'completed' | 'failed', error: string | null): void {
    Object.assign(one, { status, error, fence: one.fence + 1, checkpoint: null });
  }

  drop(tenantId: string, name: string): boolean {
    const store = this.store(tenantId, name);
    if (!store) return false;
    store.isDropped = true;
    for (const one of this.open()) if (one.store === store) this.end(one, 'failed', 'The vector store was deleted.');
    for (const one of this.jobs) if (one.store === store) one.isFound = false;
    return true;
  }

  reopen(): void {
    this.turns = new Map();
    for (const one of this.jobs) one.leaseUntil = 0;
  }

  open(): ModelJob[] {
    return this.jobs.filter(({ status }) => status === 'queued' || status === 'processing');
  }

  store(tenantId: string, name: string): ModelStore | undefined {
    return this.stores.find((one) => one.tenantId === tenantId && one.name === name && !one.isDropped);
  }

  private waiting(now: number): ModelJob[] {
    const open = this.open();
    return open.filter(
      (one, index) =>
        (one.status === 'queued' || one.leaseUntil <= now) &&
        !open
          .slice(0, index)
          .some(({ store, job }) => store === one.store && job.sourceId !== null && job.sourceId === one.job.sourceId),
    );
  }
}
