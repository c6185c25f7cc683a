export interface EventCount {
  stored: number;
  /** Being stored. */
  admitted: number;
  /** Milliseconds since the events were counted; infinite: they were not. */
  ageMs: number;
}

/** The answer of `admit`; `id` is null if the events do not fit. */
export type Admission = EventCount & { id: number | null };

export interface BegunCount {
  stored: number;
  version: number;
}

/**
 * How many events tenants have: at this process, or at all nodes. `stored` is never too small, but
 * may be too large after a removal. Each method is atomic.
 */
export interface EventCounts {
  /** Adds to what is admitted if it fits. Nothing fits before the first count. */
  admit(tenantId: string, events: number, limit: number): Promise<Admission>;
  /**
   * The admitted events are stored, or some of them, or none. Returns how many the tenant has then.
   */
  end(tenantId: string, id: number, events: { admitted: number; stored: number }): Promise<number>;
  /** Before the events are counted. Leaves out what was admitted long ago: its node has died. */
  beginCount(tenantId: string): Promise<BegunCount>;
  /**
   * Adds what was stored meanwhile, which the count may lack. Nothing, if another count ended
   * since.
   */
  endCount(tenantId: string, begun: BegunCount, counted: number): Promise<void>;
  /** The next admission counts again. */
  forget(tenantId: string): Promise<void>;
}

interface Kept extends BegunCount {
  admitted: number;
  countedAt: number;
}

/** At this process. */
export class MemoryEventCounts implements EventCounts {
  private readonly now: () => number;
  private readonly counts = new Map<string, Kept>();

  constructor(now: () => number) {
    this.now = now;
  }

  async admit(tenantId: string, events: number, limit: number): Promise<Admission> {
    const count = this.counts.get(tenantId);
    if (!count) return { id: null, stored: 0, admitted: 0, ageMs: Number.POSITIVE_INFINITY };
    const { stored, admitted } = count;
    const age = this.now() - count.countedAt;
    // The clock may have been set back.
    const ageMs = age < 0 ? Number.POSITIVE_INFINITY : age;
    const fits = count.version > 0 && stored + admitted + events <= limit;
    if (fits) count.admitted += events;
    return { id: fits ? 0 : null, stored, admitted: count.admitted, ageMs };
  }

  async end(
    tenantId: string,
    _id: number,
    { admitted, stored }: { admitted: number; stored: number },
  ): Promise<number> {
    const count = this.counts.get(tenantId);
    if (!count) return 0;
    count.admitted -= admitted;
    count.stored += stored;
    return count.stored;
  }

  async beginCount(tenantId: string): Promise<BegunCount> {
    const none = { stored: 0, admitted: 0, version: 0, countedAt: Number.NEGATIVE_INFINITY };
    const count = this.counts.get(tenantId) ?? none;
    this.counts.set(tenantId, count);
    return { stored: count.stored, version: count.version };
  }

  async endCount(tenantId: string, { stored, version }: BegunCount, counted: number): Promise<void> {
    const count = this.counts.get(tenantId);
    if (count?.version !== version) return;
    count.stored = counted + (count.stored - stored);
    count.version += 1;
    count.countedAt = this.now();
  }

  async forget(tenantId: string): Promise<void> {
    this.counts.delete(tenantId);
  }
}
