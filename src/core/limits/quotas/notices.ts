import type { RuntimeEvent, RuntimeEventName } from '../../base/audit/runtime-event.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { formatUtc } from '../../base/time/time.ts';
import { QUOTAS, type QuotaName } from './kinds.ts';
import { windowOf } from './windows.ts';

/** The tenant is warned from this share, and a refusal beyond it counts as reaching the quota. */
const WARNING_SHARE = 0.8;
const MAX_REMEMBERED = 10_000;

export interface QuotaState {
  tenantId: string;
  timezone: string;
  /** Null for a quota of the tenant. */
  keyId: string | null;
  quota: QuotaName;
  limit: number;
  used: number;
  /** Used and reserved amount. */
  refusedAt?: number;
}

export interface QuotaNoticeParts {
  /** Records an event in the background. False: it is lost. */
  record(tenantId: string, event: RuntimeEvent): boolean;
  effects: Pick<Effects, 'now'>;
}

/** Warns once per quota and window (or day), also after a restart, by the id of the event. */
export class QuotaNotices {
  private readonly parts: QuotaNoticeParts;
  private readonly recorded = new Set<string>();

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

  private record(eventName: RuntimeEventName, state: QuotaState): void {
    const { tenantId, keyId, quota, limit, used, timezone } = state;
    const timestamp = this.parts.effects.now();
    const { unit, window: name } = QUOTAS[quota];
    const window = windowOf(name ?? 'day', timestamp, timezone);
    const bounds = { windowStart: formatUtc(window.start), windowEnd: formatUtc(window.end) };
    const id = `${eventName}:${keyId ?? tenantId}:${quota}:${limit}:${bounds.windowStart}`;
    if (this.recorded.has(id)) return;
    const properties = { quota, unit, limit, used, ...(name && { window: name, ...bounds }), ...(keyId && { keyId }) };
    if (!this.parts.record(tenantId, { id, eventName, timestamp, properties })) return;
    if (this.recorded.size >= MAX_REMEMBERED) this.recorded.clear();
    this.recorded.add(id);
  }
}
