import { agentToWrite } from '../../base/shared/agent.ts';
import type { Caller } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { RuntimeError } from '../../base/shared/errors.ts';
import { issueMessages } from '../../base/shared/issues.ts';
import { tolerantParse } from '../../base/shared/tolerant.ts';
import { parseUtc } from '../../base/time/time.ts';
import { propertiesText } from './fields.ts';
import { ingestEventSchema } from './ingest-schema.ts';
import type { StoredEvent } from './store.ts';

const DAY_MS = 86_400_000;
/** Earlier timestamps come from clocks that are not set, and would stretch every series. */
const EARLIEST_EVENT = Date.parse('1900-01-01T00:00:00Z');

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
  if (event.tenantId !== undefined && event.tenantId !== caller.tenantId) {
    const message = `events[${index}].tenantId: is not the tenant of this API key; leave it out`;
    if (partial) return [message];
    throw new RuntimeError('forbidden', message);
  }
  const timestamp = event.timestamp === undefined ? now : (parseUtc(event.timestamp) ?? now);
  if (timestamp < EARLIEST_EVENT) {
    return [`events[${index}].timestamp: lies before 1900; is the sender's clock set?`];
  }
  if (timestamp > now + DAY_MS) {
    return [
      `events[${index}].timestamp: lies more than 24 hours ahead of the server's clock, which reads ${new Date(now).toISOString()}`,
    ];
  }
  const properties = propertiesText(event.properties ?? {});
  if (properties === null) {
    return [
      `events[${index}].properties: must be at most 64 KB as JSON; keep large content elsewhere and send a reference`,
    ];
  }
  return {
    id: event.id ?? effects.newId(),
    idFromCaller: event.id !== undefined,
    agentId: agentToWrite(caller, event.agentId),
    eventName: event.eventName,
    timestamp,
    threadId: event.threadId ?? null,
    executionId: event.executionId ?? null,
    properties,
  };
}
