/** Precise enough for people; saves a write per use. */
const INTERVAL_MS = 60_000;

/** Records when something was last used, at most once a minute for each of them. */
export class LastUses {
  private readonly recordedAt = new Map<string, number>();

  async record(id: string, now: number, write: () => Promise<void>): Promise<void> {
    if (Math.abs(now - (this.recordedAt.get(id) ?? 0)) < INTERVAL_MS) return;
    this.recordedAt.set(id, now);
    // A full disk must not refuse whoever only reads.
    await write().catch(() => undefined);
  }
}
