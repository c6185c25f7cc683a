import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { eventFilterSchema, filtersSchema } from '../../../base/filters/filter-schema.ts';
import { invalid } from '../../../base/shared/errors.ts';
import { ALL_AGENTS, eventNameSchema, nameSchema, readAgentSchema } from '../../../base/shared/name-schemas.ts';
import { formatUtc } from '../../../base/time/time.ts';
import { MAX_CASES, reviewedAsSchema } from '../schema.ts';
import { segmentShape } from '../segment-schema.ts';

/*
 * HandleQuestion are the events behind a number. A handle encodes the question that finds them, not
 * the events: it needs no storage and grants no access.
 */

const MAX_FILTERS = 200;
const instant = z.int().min(-8.64e15).max(8.64e15);

const handleSchema = z.strictObject({
  /** Any of them. */
  events: z
    .array(z.strictObject({ eventName: eventNameSchema, filters: filtersSchema.optional() }))
    .min(1)
    .max(20),
  /** Filters of a metric and of the question about it. */
  filters: z.array(eventFilterSchema).max(MAX_FILTERS).optional(),
  /** Left out: every agent. */
  agentId: readAgentSchema.optional(),
  /** Epoch milliseconds; left out: no limit. */
  from: instant.optional(),
  to: instant.optional(),
  /**
   * The zone and time of the question: where dates in filters and segments are read, and conditions
   * of a segment end.
   */
  now: instant.optional(),
  timezone: z.string().max(64).optional(),
  segment: z.strictObject({ name: nameSchema(100), ...segmentShape }).optional(),
  review: reviewedAsSchema.optional(),
});
export type HandleQuestion = z.output<typeof handleSchema>;
export type CountedEvents = HandleQuestion['events'];

/**
 * Members of a question about the events. Its segment has the subjects that it had at the time of
 * the answer.
 */
export function casesQuestion({ agentId = ALL_AGENTS, from, to, now, segment, ...cases }: HandleQuestion) {
  return {
    ...cases,
    ...(segment ? { segment: { ...segment, until: now === undefined ? undefined : now + 1 } } : {}),
    eventName: cases.events[0]!.eventName,
    agentId,
    dateFrom: from === undefined ? undefined : formatUtc(from),
    dateTo: to === undefined ? undefined : formatUtc(to),
  };
}

/**
 * `now` and `timezone` matter only for segments and for filters on `timestamp`; other handles leave
 * them out.
 */
function canonical(cases: HandleQuestion): HandleQuestion {
  const { now, timezone, ...rest } = cases;
  const lists = [cases, ...cases.events].map(({ filters = [] }) => filters);
  const isDated = lists.flat().some(({ propertyKey }) => propertyKey === 'timestamp');
  return isDated || cases.segment ? { ...rest, now, timezone } : rest;
}

const VERSION = 1;
const HEADER_BYTES = 5;
const MAX_TEXT_BYTES = 64 * 1024;

/** Texts that handles often hold, the most frequent last. A change needs another version. */
const DICTIONARY = Buffer.from(
  '"review":{"rating":["status":["tags":["executionId","numerator","agentId":"support","agentId":"default"},' +
    '"timezone":"America/New_York"America/Los_Angeles"Asia/Tokyo"Europe/London"Europe/Berlin"UTC","now":1' +
    '"segment":{"name":"","by":"threadId","conditions":[{"eventName":"runtime.chat_completed","atLeast":2,"dateFrom":"-30d","dateTo":"yesterday"}]}' +
    '"operator":"notContains","operator":"startsWith","operator":"contains","operator":"notExists"},"operator":"exists"},' +
    '"operator":"lte","operator":"gte","operator":"lt","operator":"gt","operator":"notIn","value":["operator":"in","value":["' +
    '"operator":"neq","operator":"eq","value":true}],"operator":"eq","value":"' +
    '_started_created_opened_resolved_failed_paid_completed"},{"eventName":"order_purchase_ticket_conversation_' +
    '}],"filters":[{"propertyKey":"00000},"to":17{"events":[{"eventName":""}],"from":17',
);

/** At most 2,000 characters and 200 filters; undefined for a question that needs more. */
export function encodeHandle(cases: HandleQuestion): string | undefined {
  // Filters beside a handle are added to its own.
  if ((cases.filters?.length ?? 0) > MAX_FILTERS) return undefined;
  const text = Buffer.from(JSON.stringify(canonical(cases)));
  if (text.length > MAX_TEXT_BYTES) return undefined;
  const packed = deflateRawSync(text, { dictionary: DICTIONARY, level: 9 });
  const header = Buffer.alloc(HEADER_BYTES, VERSION);
  header.writeUInt32BE(checksum(packed, text), 1);
  const encoded = Buffer.concat([header, packed]).toString('base64url');
  return encoded.length <= MAX_CASES ? encoded : undefined;
}

/** Throws `invalid`, which names the field. */
export function decodeHandle(handle: string, field: string): HandleQuestion {
  const { data } = handleSchema.safeParse(jsonIn(handle));
  if (data) return data;
  throw invalid(`${field}: is not a handle, or not a whole one; send basis.cases of an answer as it is`);
}

function jsonIn(handle: string): unknown {
  const bytes = Buffer.from(handle, 'base64url');
  const isWhole = handle.length <= MAX_CASES && bytes.toString('base64url') === handle;
  if (!isWhole || bytes.length <= HEADER_BYTES || bytes[0] !== VERSION) return undefined;
  try {
    const packed = bytes.subarray(HEADER_BYTES);
    const text = inflateRawSync(packed, { dictionary: DICTIONARY, maxOutputLength: MAX_TEXT_BYTES });
    return checksum(packed, text) === bytes.readUInt32BE(1) ? JSON.parse(text.toString()) : undefined;
  } catch {
    return undefined;
  }
}

/** A checksum of both, because the last bits of the packed bytes may have no meaning. */
function checksum(packed: Buffer, text: Buffer): number {
  return crc32(packed, crc32(text));
}
