import type { AgentService } from '../../access/auth/agents.ts';
import { TimeSlices } from '../../base/concurrency/time-slices.ts';
import type { Caller } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { invalid } from '../../base/shared/errors.ts';
import { capMessages, parse } from '../../base/shared/parse.ts';
import type { AdmittedEvents } from './event-quota.ts';
import { type IngestResult, ingestBatchSchema } from './ingest-schema.ts';
import { stampEvent } from './stamp.ts';
import type { EventStore, StoredEvent } from './store.ts';

export interface IngestCounts {
  accepted: number;
  duplicates: number;
  rejected: number;
}

interface EventAdmission {
  admit(caller: Caller, events: number): Promise<AdmittedEvents>;
}

export interface IngestParts {
  store: Pick<EventStore, 'append'>;
  agents: Pick<AgentService, 'register'>;
  effects: Effects;
  onIngest: (counts: IngestCounts) => void;
  quota: EventAdmission;
}

/**
 * The caller's rights have been checked. With `partial` the good events, else all or none. Throws
 * `invalid`, `rate_limited`.
 */
export async function ingestBatch(
  parts: IngestParts,
  caller: Caller,
  input: { events: unknown[] },
  partial: boolean,
): Promise<IngestResult> {
  const { store, agents, effects, onIngest, quota } = parts;
  const { events } = parse(ingestBatchSchema, input);
  const context = { caller, effects, now: effects.now(), partial };
  const slices = new TimeSlices();
  const good: StoredEvent[] = [];
  const rejected: { index: number; messages: string[] }[] = [];
  for (const [index, event] of events.entries()) {
    const result = stampEvent(event, index, context);
    if (Array.isArray(result)) rejected.push({ index, messages: result });
    else good.push(result);
    if (slices.isOver) await slices.pause();
  }
  if (rejected.length > 0 && !partial) {
    onIngest({ accepted: 0, duplicates: 0, rejected: rejected.length });
    throw invalid(...capMessages(rejected.flatMap(({ messages }) => messages)));
  }
  const admitted = await quota.admit(caller, good.length);
  let accepted = 0;
  let receipt: string;
  try {
    await agents.register(caller, [...new Set(good.map((event) => event.agentId))]);
    const appended = await store.append(caller.tenantId, good);
    receipt = appended.receipt;
    accepted = good.length - appended.duplicates;
  } finally {
    admitted.end(accepted);
  }
  const duplicates = good.length - accepted;
  onIngest({ accepted, duplicates, rejected: rejected.length });
  return {
    success: true,
    accepted,
    duplicates,
    rejected: rejected.map(({ index, messages }) => ({ index, message: messages.join('; ') })),
    receipt,
  };
}
