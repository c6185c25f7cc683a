import { type Held, isHeld, reaches, readsFewerRows } from '../../../base/filters/limits.ts';
import { isObject } from '../../../base/json-schema/values.ts';
import type { Reader } from '../../../base/shared/caller.ts';
import { outside, RuntimeError } from '../../../base/shared/errors.ts';
import type { MetricSource, SegmentSource } from './question.ts';

/* Whether stored definitions stay within the limits of who reads them. */

/** Does not name the event, which as far as the caller knows does not exist. */
export function eventOutside(): RuntimeError {
  return outside('eventNames', 'an event');
}

/**
 * Throws `forbidden` when a definition, or a part of it, has an `eventName` outside the limits: a
 * smaller number would pass for the defined one.
 */
export function requireEventsWithin(held: Held, definition: unknown): void {
  if (!isHeld(held, 'eventNames')) return;
  if (eventNamesIn(definition).every((name) => reaches(held, 'eventNames', name))) return;
  throw eventOutside();
}

/** The events that a definition, or a part of it, names. */
export function eventNamesIn(definition: unknown): string[] {
  return namedIn(definition).eventNames;
}

/** As `requireEventsWithin`, also of the metric and the segment that it names. */
export async function requireDefinitionWithin(
  reader: Reader,
  definition: unknown,
  { metrics, segments }: { metrics: Pick<MetricSource, 'resolve'>; segments: Pick<SegmentSource, 'resolve'> },
): Promise<void> {
  if (!isHeld(reader, 'eventNames')) return;
  requireEventsWithin(reader, definition);
  const named = namedIn(definition);
  for (const name of named.metrics) await metrics.resolve(reader, name).catch(unlessOutside);
  for (const name of named.segments) await segments.resolve(reader, name).catch(unlessOutside);
}

/** A definition that names what was removed is within the limits: it fails for everybody. */
function unlessOutside(error: unknown): void {
  if (error instanceof RuntimeError && error.code === 'invalid') return;
  throw error;
}

/**
 * That a number of a stored definition counts fewer events than the definition says. `agentId`: of
 * the question; null: all agents.
 */
export function notesOnLimits(held: Held, agentId: string | null): string[] {
  if (!readsFewerRows(held) && !(agentId === null && isHeld(held, 'agents'))) return [];
  return ['This credential is held to a part of the events (limits): only these are counted.'];
}

interface Named {
  eventNames: string[];
  metrics: string[];
  segments: string[];
}

const MEMBERS = { eventName: 'eventNames', metric: 'metrics', segment: 'segments' } as const;

function namedIn(value: unknown, named: Named = { eventNames: [], metrics: [], segments: [] }): Named {
  if (Array.isArray(value)) for (const item of value) namedIn(item, named);
  else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      const list = MEMBERS[key as keyof typeof MEMBERS];
      if (list && typeof member === 'string') named[list].push(member);
      else namedIn(member, named);
    }
  }
  return named;
}
