import type { AuditEntry } from './store.ts';

/** Clients can repeat these at will: repeats within a minute become one line with a count. */
const REPEATABLE = new Set([
  'login.failed',
  'login.succeeded',
  'request.refused',
  'events.exported',
  'training_data.exported',
  'audit_log.exported',
]);

/** Lines per actor, action and minute. */
const MAX_DIFFERENT = 10;

interface Repeats {
  byContent: Map<string, { entry: AuditEntry; repeated: number }>;
  leftOut: number;
}

export class AuditRepeats {
  private byActor = new Map<string, Repeats>();

  get isEmpty(): boolean {
    return this.byActor.size === 0;
  }

  /** False if the line is counted instead. */
  admit(entry: AuditEntry): boolean {
    const { tenantId, actor, action, target, address, details } = entry;
    if (!REPEATABLE.has(action)) return true;
    const key = JSON.stringify([tenantId, actor.kind, actor.id, actor.client, action]);
    const repeats: Repeats = this.byActor.get(key) ?? { byContent: new Map(), leftOut: 0 };
    this.byActor.set(key, repeats);
    const content = JSON.stringify([target, address, details]);
    const known = repeats.byContent.get(content);
    if (known) known.repeated += 1;
    else if (repeats.byContent.size < MAX_DIFFERENT) repeats.byContent.set(content, { entry, repeated: 0 });
    else repeats.leftOut += 1;
    return known === undefined && repeats.leftOut === 0;
  }

  take(): Omit<AuditEntry, 'id' | 'at'>[] {
    const counts = [...this.byActor.values()].flatMap(({ byContent, leftOut }) => {
      const seen = [...byContent.values()];
      const repeated = seen
        .filter((one) => one.repeated > 0)
        .map((one) => ({ ...one.entry, requestId: null, details: { ...one.entry.details, repeated: one.repeated } }));
      if (leftOut === 0) return repeated;
      const { tenantId, actor, action } = seen[0]!.entry;
      const rest = { tenantId, actor, action, target: null, address: null, requestId: null, details: { leftOut } };
      return [...repeated, rest];
    });
    this.byActor = new Map();
    return counts;
  }
}
