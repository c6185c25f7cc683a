/** Each call asks: the store is looked at twice a second, which is often enough for a change to hold within one. */
const KEPT_MS = 500;

interface Entry<Value> {
  /** When it was asked for. */
  at: number;
  value: Value;
}

/**
 * What is read with every call, by place: half a second old at most, and at most `maximum` of them. Several who ask at once
 * share one reading. What could not be read is not kept: who mends it should not have to wait, and names that are not there
 * would push out those that are.
 */
export class Kept<Value> {
  private readonly now: () => number;
  private readonly maximum: number;
  /** Those that were read the longest ago first. */
  private readonly entries = new Map<string, Entry<Value>>();
  private readonly readings = new Map<string, Promise<Value>>();

  constructor(now: () => number, maximum: number) {
    this.now = now;
    this.maximum = maximum;
  }

  /** `read` is given what was read before, however old, as long as it is here. */
  async get(place: string, read: (before: Value | undefined) => Promise<Value>): Promise<Value> {
    const now = this.now();
    const entry = this.entries.get(place);
    if (entry && now >= entry.at && now - entry.at < KEPT_MS) return entry.value;
    const underWay = this.readings.get(place);
    if (underWay) return underWay;
    const reading = read(entry?.value);
    this.readings.set(place, reading);
    try {
      const value = await reading;
      if (this.isCurrent(place, reading)) this.keep(place, { at: now, value });
      return value;
    } catch (error) {
      if (this.isCurrent(place, reading)) this.entries.delete(place);
      throw error;
    } finally {
      if (this.isCurrent(place, reading)) this.readings.delete(place);
    }
  }

  /** What is here is read again, and what is being read now is not kept: something has changed. */
  expire(): void {
    this.readings.clear();
    for (const entry of this.entries.values()) entry.at = Number.NEGATIVE_INFINITY;
  }

  /** As `expire`, and nothing of it stays in memory. */
  clear(): void {
    this.readings.clear();
    this.entries.clear();
  }

  private isCurrent(place: string, reading: Promise<Value>): boolean {
    return this.readings.get(place) === reading;
  }

  private keep(place: string, entry: Entry<Value>): void {
    this.entries.delete(place);
    this.entries.set(place, entry);
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= this.maximum) return;
      this.entries.delete(oldest);
    }
  }
}
