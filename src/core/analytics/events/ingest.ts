import type { AgentService } from '../../access/auth/agents.ts';
import { TimeSlices } from '../../base/concurrency/time-slices.ts';
import { reaches } from '../../base/filters/limits.ts';
import { agentOfWrites } from '../../base/shared/agent.ts';
import type { Caller } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { forbidden, invalid } from '../../base/shared/errors.ts';
import { issueMessages } from '../../base/shared/issues.ts';
import { capMessages, parse } from '../../base/shared/parse.ts';
import { tolerantParse } from '../../base/shared/tolerant.ts';
import { faultOfTime } from '../../base/time/plausible.ts';
import { parseUtc } from '../../base/time/time.ts';
import type { AdmittedEvents } from './event-quota.ts';
import { propertiesText } from './fields.ts';
import { type IngestResult, ingestBatchSchema, ingestEventSchema } from './ingest-schema.ts';
import type { EventStore, StoredEvent } from './store.ts';

interface StampContext {
  caller: Caller;
  effects: Effects;
  /** Epoch milliseconds. */
  now: number;
  /** Reports an event of another tenant as a message, instead of throwing `forbidden`. */
  partial: boolean;
}

/** The event to store, or what is wrong with it. */
export function stampEvent(
  input: unknown,
  index: number,
  { caller, effects, now, partial }: StampContext,
): StoredEvent | string[] {
  if (input === undefined) return [`events[${index}]: is not valid JSON`];
  const result = tolerantParse(ingestEventSchema, input);
  if (!result.success) return issueMessages(result.error, { schema: ingestEventSchema, prefix: ['events', index] });
  const event = result.data;
  const agentId = agentOfWrites(caller, event.agentId);
  const refusal = refusalOf({ ...event, agentId }, caller);
  if (refusal !== null) {
    const message = `events[${index}].${refusal}`;
    if (partial) return [message];
    throw forbidden(message);
  }
  const timestamp = event.timestamp === undefined ? now : (parseUtc(event.timestamp) ?? now);
  const fault = faultOfTime(timestamp, now);
  if (fault !== null) return [`events[${index}].timestamp: ${fault}`];
  const properties = propertiesText(event.properties ?? {});
  if (properties === null) {
    return [
      `events[${index}].properties: must be at most 64 KB as JSON; keep large content elsewhere and send a reference`,
    ];
  }
  return {
    id: event.id ?? effects.newId(),
    idFromCaller: event.id !== undefined,
    agentId,
    eventName: event.eventName,
    timestamp,
    threadId: event.threadId ?? null,
    executionId: event.executionId ?? null,
    properties,
  };
}

function refusalOf(
  { tenantId, agentId, eventName }: { tenantId?: string | undefined; agentId: string; eventName: string },
  caller: Caller,
): string | null {
  if (tenantId !== undefined && tenantId !== caller.tenantId) {
    return 'tenantId: is not the tenant of this API key; leave it out';
  }
  if (!reaches(caller, 'agents', agentId)) return 'agentId: lies outside of limits.agents of this credential';
  if (reaches(caller, 'eventNames', eventName)) return null;
  return 'eventName: lies outside of limits.eventNames of this credential';
}

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
