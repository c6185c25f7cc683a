import type { JsonType, StoredEvent } from '../../../core/analytics/events/store.ts';

/** An escaped lone surrogate, which UTF-8 cannot encode. Whole pairs are not escaped. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]/;

/** Above the limit of every field. */
const MAX_TEXT = 10_000;

/**
 * Returns the properties. Throws for an event that an engine would refuse, or could not read back.
 */
export function checkedProperties(event: StoredEvent): Record<string, unknown> {
  const { id, agentId, eventName, timestamp, threadId, executionId, properties } = event;
  const isText = (value: unknown) => typeof value === 'string' && value.isWellFormed() && value.length <= MAX_TEXT;
  if (![id, agentId, eventName].every(isText)) throw new Error('id, agentId or eventName is not a text.');
  if (![threadId, executionId].every((value) => value === null || isText(value))) {
    throw new Error('threadId or executionId is not a text.');
  }
  if (!Number.isSafeInteger(timestamp)) throw new Error('timestamp is not a whole number.');
  const parsed: unknown = JSON.parse(properties);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new Error('properties is not an object.');
  if (LONE_SURROGATE.test(properties)) throw new Error('properties hold a lone surrogate.');
  return parsed as Record<string, unknown>;
}

/** The JSON type of a value other than null. */
export function typeOf(value: unknown): JsonType {
  if (Array.isArray(value)) return 'array';
  return typeof value as JsonType;
}
