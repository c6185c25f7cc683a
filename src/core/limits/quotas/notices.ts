import type { EventStore, StoredEvent } from '../../analytics/events/store.ts';
import { DEFAULT_AGENT } from '../../base/shared/agent.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { formatUtc } from '../../base/time/time.ts';
import { QUOTAS, type QuotaName } from './kinds.ts';
import { type Window, windowOf } from './windows.ts';

/** The tenant is warned from this share, and a refusal beyond it counts as reaching the quota. */
const WARNING_SHARE = 0.8;
const MAX_REMEMBERED = 10_000;

export interface QuotaState {
  tenantId: string;
  timezone: string;
  /** Null: a quota of the tenant. */
  keyId: string | null;
  quota: QuotaName;
  limit: number;
  used: number;
  /** Used and reserved amount. */
  refusedAt?: number;
}

export interface QuotaNoticeParts {
  events: Pick<EventStore, 'append'>;
  tenants: { isBlocked(tenantId: string): boolean };
  effects: Effects;
  onError(error: unknown): void;
}

/** Warns once per quota and window (or day): the event store drops a repeated id. */
export class QuotaNotices {
  private readonly parts: QuotaNoticeParts;
  private readonly recorded = new Set<string>();
  private readonly writing = new Set<Promise<void>>();

  constructor(parts: QuotaNoticeParts) {
    this.parts = parts;
  }

  note(state: QuotaState): void {
    const { limit, used, refusedAt } = state;
    const warnsFrom = limit * WARNING_SHARE;
    const isReached = used >= limit || (refusedAt !== undefined && refusedAt >= warnsFrom);
    if (used >= warnsFrom || isReached) this.record('runtime.quota_warning', state);
    if (isReached) this.record('runtime.quota_reached', state);
  }

  async settled(): Promise<void> {
    await Promise.all(this.writing);
  }

  private record(eventName: string, state: QuotaState): void {
    const { parts, recorded, writing } = this;
    const { tenantId, keyId, quota, limit, timezone } = state;
    const window = windowOf(QUOTAS[quota].window ?? 'day', parts.effects.now(), timezone);
    const id = `${eventName}:${keyId ?? tenantId}:${quota}:${limit}:${formatUtc(window.start)}`;
    if (recorded.has(id) || parts.tenants.isBlocked(tenantId)) return;
    if (recorded.size >= MAX_REMEMBERED) recorded.clear();
    recorded.add(id);
    const written = parts.events
      .append(tenantId, [eventOf(id, eventName, state, { window, now: parts.effects.now() })])
      .then(() => undefined)
      .catch((error: unknown) => {
        recorded.delete(id);
        parts.onError(error);
      })
      .finally(() => writing.delete(written));
    writing.add(written);
  }
}

function eventOf(
  id: string,
  eventName: string,
  { quota, limit, used, keyId }: QuotaState,
  { window, now }: { window: Window; now: number },
): StoredEvent {
  const { unit, window: name } = QUOTAS[quota];
  const bounds = { windowStart: formatUtc(window.start), windowEnd: formatUtc(window.end) };
  const properties = { quota, unit, limit, used, ...(name && { window: name, ...bounds }), ...(keyId && { keyId }) };
  return {
    id,
    idFromCaller: true,
    agentId: DEFAULT_AGENT,
    eventName,
    timestamp: now,
    threadId: null,
    executionId: null,
    properties: JSON.stringify(properties),
  };
}
