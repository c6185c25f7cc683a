import type { StoredEvent } from '../../../src/core/analytics/events/store.ts';

export const OPTIONS = { dedupWindowMs: 86_400_000, queryTimeoutMs: 30_000, memoryLimit: 512e6, backlogLimit: 1e8 };

export interface Batch {
  tenantId: string;
  marker: string;
  size: number;
  withIds: boolean;
}

export type Line =
  | { opened: true }
  | { sent: Batch }
  | { acknowledged: string; duplicates: number }
  | { erasing: string }
  | { erased: string }
  | { copying: string }
  | { fault: string };

export function eventsOf({ tenantId, marker, size, withIds }: Batch): StoredEvent[] {
  return Array.from({ length: size }, (_, index) => ({
    id: `${marker}-${index}`,
    idFromCaller: withIds,
    agentId: 'support',
    eventName: 'load',
    timestamp: 1_767_225_600_000 + index,
    threadId: marker,
    executionId: null,
    properties: JSON.stringify(propertiesOf(tenantId, marker, index)),
  }));
}

/** New keys all the time, so that columns are added; and one key whose values are of every kind. */
function propertiesOf(tenantId: string, marker: string, index: number): Record<string, unknown> {
  const mixed = [index, index + 0.5, `text ${index}`, index % 2 === 0, { index }, [index]][index % 6];
  const grown = `grown ${Number(marker.split('-').at(-1)) % 30}`;
  return { tenantId, marker, amount: index / 4, whole: index, deep: { er: index % 3 }, mixed, [grown]: index };
}
