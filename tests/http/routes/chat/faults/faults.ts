import type { Fault, Outcome, Piece } from '../../../../support/upstream/outcomes.ts';

/** What a clean answer says. */
export const TEXT = 'Olá mundo 🌍';
/** What has come when an answer breaks in its middle. */
export const HALF = 'Olá ';

/**
 * An answer that continues on `release()`: the test calls it after the first byte that it reads, so
 * a fault in the middle never comes before that byte.
 */
const HELD: Piece[] = [{ type: 'text', text: HALF }, { type: 'hold' }, { type: 'text', text: 'mundo 🌍' }];

const fault = (fault: Fault): Outcome[] => [{ fault }];
/** After the first content. */
const middle = (fault: Fault): Outcome[] => [{ pieces: HELD, fault }];
const status = (status: number): Outcome[] => fault({ type: 'status', status });

/** Answers to which nothing happened, however they travel. */
const CLEAN = {
  clean: [{}],
  crlf: [{ wire: 'crlf' }],
  comments: [{ wire: 'comments' }],
  'multi-line data': [{ wire: 'multiLine' }],
  'UTF-8 split': [{ wire: 'utf8Split' }],
  'slow drip': [{ wire: 'slowDrip' }],
  'one write': [{ wire: 'oneWrite' }],
  empty: [{ pieces: [] }],
} satisfies Record<string, Outcome[]>;

const REFUSALS = {
  '400': status(400),
  '401': status(401),
  '403': status(403),
  '404': status(404),
  'refused key': fault({ type: 'refusedKey' }),
  '429': status(429),
  '429, 1 second': fault({ type: 'status', status: 429, retry: { seconds: 1 } }),
  '429, 60 seconds': fault({ type: 'status', status: 429, retry: { seconds: 60 } }),
  '429, a date in 60 seconds': fault({ type: 'status', status: 429, retry: { date: 60 } }),
  '429, 60 seconds in the body': fault({ type: 'status', status: 429, retry: { retryInfo: 60 } }),
  '500': status(500),
  '503': status(503),
  '529': status(529),
} satisfies Record<string, Outcome[]>;

/** What breaks before the first content. */
const BEFORE = {
  'reset before headers': fault({ type: 'resetBeforeHeaders' }),
  html: fault({ type: 'html' }),
  redirect: fault({ type: 'redirect' }),
  'cut after headers': fault({ type: 'cut', after: 'headers' }),
  'cut before content': fault({ type: 'cut', after: 0 }),
  'empty body': fault({ type: 'earlyEnd', after: 'headers' }),
  'early end before content': fault({ type: 'earlyEnd', after: 0 }),
  'error first': fault({ type: 'errorEvent', after: 'headers' }),
  'error before content': fault({ type: 'errorEvent', after: 0 }),
  'overloaded first': fault({ type: 'errorEvent', after: 'headers', kind: 'overloaded' }),
  'rate limited first': fault({ type: 'errorEvent', after: 'headers', kind: 'rateLimited' }),
  'failure first': fault({ type: 'failure', after: 'headers' }),
  'bad JSON first': fault({ type: 'badJson', after: 'headers' }),
  'bad checksum first': fault({ type: 'badChecksum', after: 'headers' }),
  'hang before headers': fault({ type: 'hangBeforeHeaders' }),
  'hang after headers': fault({ type: 'hang', after: 'headers' }),
  'hang before content': fault({ type: 'hang', after: 0 }),
} satisfies Record<string, Outcome[]>;

/** What breaks after the first content; two pieces are the text and the hold behind it, three are all. */
const AFTER = {
  cut: middle({ type: 'cut', after: 2 }),
  'cut before the marker': middle({ type: 'cut', after: 3 }),
  'early end': middle({ type: 'earlyEnd', after: 2 }),
  'early end before the marker': middle({ type: 'earlyEnd', after: 3 }),
  'error in the middle': middle({ type: 'errorEvent', after: 2 }),
  'overloaded in the middle': middle({ type: 'errorEvent', after: 2, kind: 'overloaded' }),
  'failure in the middle': middle({ type: 'failure', after: 2 }),
  'bad JSON': middle({ type: 'badJson', after: 2 }),
  'bad checksum': middle({ type: 'badChecksum', after: 2 }),
  hang: middle({ type: 'hang', after: 2 }),
} satisfies Record<string, Outcome[]>;

/** What passes when it is tried again. */
const PASSING = {
  '500, then clean': [...status(500), {}],
  '529 twice, then clean': [...status(529), ...status(529), {}],
  '429 with 1 second, then clean': [...fault({ type: 'status', status: 429, retry: { seconds: 1 } }), {}],
  'reset, then clean': [...fault({ type: 'resetBeforeHeaders' }), {}],
  'cut before content, then clean': [...fault({ type: 'cut', after: 0 }), {}],
  'error first, then clean': [...fault({ type: 'errorEvent', after: 'headers' }), {}],
} satisfies Record<string, Outcome[]>;

/** What the upstream does, request by request; the last stays. */
export const FAULTS = { ...CLEAN, ...REFUSALS, ...BEFORE, ...AFTER, ...PASSING };
export type FaultName = keyof typeof FAULTS;
