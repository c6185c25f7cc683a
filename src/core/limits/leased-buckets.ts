import { LRUCache } from 'lru-cache';
import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Bucket, Buckets, LackingBucket, Rate } from './buckets.ts';
import type { TokenBuckets } from './token-buckets.ts';

export interface Exchange extends Bucket {
  /** A whole number; below 0, tokens are given back. */
  tokens: number;
}

export interface Exchanged {
  /** At most what was asked. */
  granted: number;
  /** Milliseconds until the bucket has a token again; 0 if all that was asked was granted. */
  waitMs: number;
}

/** Token buckets of all nodes. Knows one clock, which is not that of the nodes. */
export interface BucketStore {
  /** Of several buckets at once, each atomically; answers in their order. Without any: whether the store answers. */
  exchange(asked: readonly Exchange[]): Promise<Exchanged[]>;
  tokens(name: string, rate: Rate): Promise<number>;
}

export interface LeasedBucketParts {
  store: BucketStore;
  /** Those of this process, for the time in which the store does not answer. */
  own: TokenBuckets;
  /** Milliseconds of a monotonic clock. */
  elapsed: () => number;
  /** When the store stops and begins to answer. */
  onChange: (isAway: boolean, error?: unknown) => void;
  answerMs?: number;
}

/** A node holds what the rate gives in this time, so that few requests wait for the database. */
const SLICE_MS = 500;
/** Of the burst, so that the nodes' slices together are a small part. */
const SLICE_SHARE = 0.1;
const ANSWER_MS = 250;
const RETRY_MS = 1_000;
const MAX_LEASES = 100_000;
/** A request whose tokens others took asks again, this often. */
const MAX_ROUNDS = 3;

interface Lease extends Bucket {
  /** Borrowed ones that this node may give away. */
  tokens: number;
  /** What the next exchange asks for. */
  wanted: number;
  /** Until then the store has none. */
  emptyUntil: number;
}

/**
 * Buckets that all nodes share: each borrows tokens in slices. N nodes together let through at most what one would, and N
 * slices. While the store does not answer within `answerMs`, each node limits on its own.
 */
export class LeasedBuckets implements Buckets {
  private readonly parts: LeasedBucketParts;
  private readonly leases = new LRUCache<string, Lease>({ max: MAX_LEASES });
  private asking = new Set<Lease>();
  /** One at a time; what is wanted meanwhile goes together with the next. */
  private running: Promise<boolean> = Promise.resolve(true);
  private next: Promise<boolean> | null = null;
  /** Null: the store answers. */
  private retryAt: number | null = null;

  constructor(parts: LeasedBucketParts) {
    this.parts = parts;
  }

  /** The store does not answer in time. */
  get isAlone(): boolean {
    return this.retryAt !== null;
  }

  takeEach(buckets: readonly Bucket[]): LackingBucket | null | Promise<LackingBucket | null> {
    if (this.retryAt !== null) return this.takeOwn(buckets, this.retryAt);
    const leases = buckets.map((bucket) => this.leaseOf(bucket));
    const taken = this.takeHeld(leases);
    return taken === 'ask' ? this.ask(buckets, leases) : taken;
  }

  async tokens(name: string, rate: Rate): Promise<number> {
    const { store, own, answerMs = ANSWER_MS } = this.parts;
    if (this.retryAt !== null) return own.tokens(name, rate);
    const shared = store.tokens(name, rate).catch(() => own.tokens(name, rate));
    const tokens = await withTimeout(shared, answerMs, () => own.tokens(name, rate));
    return Math.min(rate.burst, tokens + (this.leases.peek(name)?.tokens ?? 0));
  }

  private takeOwn(buckets: readonly Bucket[], retryAt: number): LackingBucket | null {
    if (this.parts.elapsed() >= retryAt) void this.exchange();
    return this.parts.own.takeEach(buckets);
  }

  private leaseOf({ name, rate }: Bucket): Lease {
    const known = this.leases.get(name);
    if (known) return Object.assign(known, { rate });
    const lease: Lease = { name, rate, tokens: 0, wanted: 0, emptyUntil: 0 };
    this.leases.set(name, lease);
    return lease;
  }

  private takeHeld(leases: readonly Lease[]): LackingBucket | null | 'ask' {
    const now = this.parts.elapsed();
    const index = leases.findIndex(({ tokens, emptyUntil }) => tokens < 1 && now < emptyUntil);
    if (index !== -1) return { index, retryAfter: Math.ceil((leases[index]!.emptyUntil - now) / 1_000) };
    if (leases.some(({ tokens }) => tokens < 1)) return 'ask';
    for (const lease of leases) {
      lease.tokens -= 1;
      // So that this node goes on from what it let through, when the store is away.
      this.parts.own.take(lease.name, lease.rate);
      const slice = sliceOf(lease.rate);
      if (lease.tokens <= slice / 2 && slice > 0 && now >= lease.emptyUntil) this.want(lease, slice - lease.tokens);
    }
    return null;
  }

  private async ask(buckets: readonly Bucket[], leases: readonly Lease[]): Promise<LackingBucket | null> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      for (const lease of leases) {
        if (lease.tokens >= 1) continue;
        // One that would be given back.
        if (lease.wanted < 0) lease.tokens += 1;
        lease.wanted += 1;
        this.asking.add(lease);
      }
      if (!(await this.exchange())) return this.parts.own.takeEach(buckets);
      const taken = this.takeHeld(leases);
      if (taken !== 'ask') return taken;
    }
    return { index: leases.findIndex(({ tokens }) => tokens < 1), retryAfter: 1 };
  }

  /** Without anybody waiting for them. */
  private want(lease: Lease, tokens: number): void {
    if (lease.wanted >= tokens) return;
    lease.wanted = tokens;
    this.asking.add(lease);
    void this.exchange();
  }

  /** False: the store does not answer. Never rejects. */
  private exchange(): Promise<boolean> {
    this.next ??= this.running.then(() => {
      this.next = null;
      this.running = this.exchangeNow();
      return this.running;
    });
    return this.next;
  }

  private async exchangeNow(): Promise<boolean> {
    const { store, elapsed, answerMs = ANSWER_MS } = this.parts;
    const leases = [...this.asking];
    const asked = leases.map(({ name, rate, wanted }) => ({ name, rate, tokens: wanted }));
    this.asking.clear();
    for (const lease of leases) lease.wanted = 0;
    try {
      const exchanged = await withTimeout(store.exchange(asked), answerMs, tooLate);
      const now = elapsed();
      for (const [index, { granted, waitMs }] of exchanged.entries()) {
        const lease = leases[index]!;
        if (granted > 0) lease.tokens += granted;
        lease.emptyUntil = waitMs > 0 ? now + waitMs : 0;
      }
      this.note(null);
      // After those who waited have taken theirs.
      setImmediate(() => this.giveBack(leases));
      return true;
    } catch (error) {
      this.note(elapsed() + RETRY_MS, error);
      return false;
    }
  }

  /** What a request did not take because another of its buckets was empty. */
  private giveBack(leases: readonly Lease[]): void {
    for (const lease of leases) {
      const excess = Math.floor(lease.tokens - sliceOf(lease.rate));
      if (excess <= 0 || lease.wanted !== 0) continue;
      lease.tokens -= excess;
      lease.wanted = -excess;
      this.asking.add(lease);
      void this.exchange();
    }
  }

  private note(retryAt: number | null, error?: unknown): void {
    const isAway = retryAt !== null;
    const changes = isAway !== (this.retryAt !== null);
    this.retryAt = retryAt;
    if (changes) this.parts.onChange(isAway, error);
  }
}

/** What a node may hold of a bucket. 0: each request asks. */
export function sliceOf({ perMinute, burst }: Rate): number {
  return Math.floor(Math.min((perMinute * SLICE_MS) / 60_000, burst * SLICE_SHARE));
}

function tooLate(): never {
  throw new Error('the database does not answer in time');
}
