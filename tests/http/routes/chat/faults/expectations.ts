import { type FaultName, HALF, TEXT } from './faults.ts';
import type { Tested } from './providers.ts';

/** The result of `POST /api/v1/runtime/v1/chat/stream` as plain text. */
export interface Cell {
  /** Requests that the upstream gets. */
  attempts: number;
  /** Of 400 the message is an array, of others a string. */
  status: number;
  /** Whether the response ends as HTTP has it; otherwise the connection breaks. */
  complete: boolean;
  /** The body where the status is 200; null where it is the error body. */
  text: string | null;
  executionStatus: 'completed' | 'failed';
  /** Bounds of the header Retry-After, in seconds; time passes between. */
  retryAfter?: { atLeast: number; atMost: number };
}

/** Attempts for what may pass when it is tried again. */
const ALL_ATTEMPTS = 3;

const clean = (text: string, attempts = 1): Cell => ({
  ...{ attempts, status: 200, complete: true, text, executionStatus: 'completed' },
});
/** An error body, because nothing was committed yet. */
const failed = (status: number, attempts: number, retryAfter?: Cell['retryAfter']): Cell => ({
  ...{ attempts, status, complete: true, text: null, executionStatus: 'failed' },
  ...(retryAfter ? { retryAfter } : {}),
});
/** 200 was committed with the first content, and is never tried again. */
const broken = (text: string): Cell => ({
  ...{ attempts: 1, status: 200, complete: false, text, executionStatus: 'failed' },
});

const ABOUT_A_MINUTE = { atLeast: 45, atMost: 60 };

/** What all providers have in common. */
const EVERYWHERE = {
  clean: clean(TEXT),
  'UTF-8 split': clean(TEXT),
  'slow drip': clean(TEXT),
  'one write': clean(TEXT),
  empty: clean(''),

  '400': failed(400, 1),
  '401': failed(502, 1),
  '403': failed(502, 1),
  '404': failed(400, 1),
  'refused key': failed(502, 1),
  '429': failed(429, ALL_ATTEMPTS),
  '429, 1 second': failed(429, ALL_ATTEMPTS, { atLeast: 1, atMost: 1 }),
  // Longer than the deadline of all attempts, so it fails at once.
  '429, 60 seconds': failed(429, 1, ABOUT_A_MINUTE),
  '429, a date in 60 seconds': failed(429, 1, ABOUT_A_MINUTE),
  '500': failed(502, ALL_ATTEMPTS),
  '503': failed(502, ALL_ATTEMPTS),
  '529': failed(502, ALL_ATTEMPTS),

  'reset before headers': failed(502, ALL_ATTEMPTS),
  html: failed(502, ALL_ATTEMPTS),
  redirect: failed(502, ALL_ATTEMPTS),
  'cut after headers': failed(502, ALL_ATTEMPTS),
  'cut before content': failed(502, ALL_ATTEMPTS),
  'empty body': failed(502, ALL_ATTEMPTS),
  'early end before content': failed(502, ALL_ATTEMPTS),
  'error first': failed(502, ALL_ATTEMPTS),
  'error before content': failed(502, ALL_ATTEMPTS),
  'bad JSON first': failed(502, ALL_ATTEMPTS),
  // To wait again would be to wait too long.
  'hang before headers': failed(504, 1),
  'hang after headers': failed(504, 1),
  'hang before content': failed(504, 1),

  cut: broken(HALF),
  'cut before the marker': broken(TEXT),
  'early end': broken(HALF),
  'early end before the marker': broken(TEXT),
  'error in the middle': broken(HALF),
  'overloaded in the middle': broken(HALF),
  'bad JSON': broken(HALF),
  hang: broken(HALF),

  '500, then clean': clean(TEXT, 2),
  '529 twice, then clean': clean(TEXT, 3),
  '429 with 1 second, then clean': clean(TEXT, 2),
  'reset, then clean': clean(TEXT, 2),
  'cut before content, then clean': clean(TEXT, 2),
  'error first, then clean': clean(TEXT, 2),
} satisfies Partial<Record<FaultName, Cell>>;

/** Server-sent events may be written in other ways. */
const EVENTS = { crlf: clean(TEXT), comments: clean(TEXT), 'multi-line data': clean(TEXT) };
/** Vendors whose errors within a stream have a type. */
const TELLING = { 'overloaded first': failed(502, ALL_ATTEMPTS), 'rate limited first': failed(429, ALL_ATTEMPTS) };
/** Vendors with two forms of an error within a stream. */
const TWO_FORMS = { 'failure first': failed(502, ALL_ATTEMPTS), 'failure in the middle': broken(HALF) };

/** Faults that a provider cannot have are missing. */
export const EXPECTATIONS: Record<Tested, Partial<Record<FaultName, Cell>>> = {
  openai: { ...EVERYWHERE, ...EVENTS, ...TELLING, ...TWO_FORMS },
  'openai-legacy': { ...EVERYWHERE, ...EVENTS },
  anthropic: { ...EVERYWHERE, ...EVENTS, ...TELLING },
  bedrock: {
    ...EVERYWHERE,
    ...TELLING,
    ...TWO_FORMS,
    'bad checksum first': failed(502, ALL_ATTEMPTS),
    'bad checksum': broken(HALF),
  },
  groq: { ...EVERYWHERE, ...EVENTS, ...TELLING, ...TWO_FORMS },
  gemini: {
    ...EVERYWHERE,
    ...EVENTS,
    ...TELLING,
    ...TWO_FORMS,
    '429, 60 seconds in the body': failed(429, 1, ABOUT_A_MINUTE),
  },
  xai: { ...EVERYWHERE, ...EVENTS },
  custom: { ...EVERYWHERE, ...EVENTS, ...TELLING },
};
