import type { Credential } from './credentials.ts';
import type { Fixture } from './fixture.ts';
import { freshened, hintsOf } from './hints.ts';
import { malformed } from './malformed.ts';
import { misspelled, oddText, spoiled, written } from './odd.ts';
import type { Operation, Parameter } from './operations.ts';
import { MADE_BY_SERVER, type Noun, nounOf } from './pools.ts';
import type { Random } from './random.ts';
import { sampleOf } from './values.ts';

export type Kind = 'good' | 'spoiled' | 'malformed' | 'credential';

/** How the body goes over the wire: whole, or in a way that breaks off. */
export type Framing = 'length' | 'chunked' | 'chunked-cut' | 'length-cut' | 'length-short';

/** One request, ready to be sent, and what is known about it. */
export interface FuzzedRequest {
  operation: Operation;
  kind: Kind;
  credential: Credential;
  method: string;
  /** Path and query as they go over the wire. */
  target: string;
  headers: Record<string, string>;
  body?: Buffer;
  framing: Framing;
  /** It may be a request of another operation than the one that it was made from. */
  mayBeAnother?: true;
  /** It names what the server made for somebody else. */
  trespasses: boolean;
  /** Where it may lead to no operation, or another one: statuses that the operation itself does not have. */
  alsoStatuses: number[];
}

/** What a request says, before it is put into words of HTTP. */
interface Draft {
  params: Record<string, string>;
  query: [name: string, value: string][];
  headers: Record<string, string>;
  contentType?: string;
  body?: unknown;
}

/** The first request of an operation is to succeed; of the others most are wrong in one way. */
export async function requestOf(
  operation: Operation,
  fixture: Fixture,
  random: Random,
  first: boolean,
): Promise<FuzzedRequest> {
  const roll = random.below(100);
  const kind: Kind = first || roll < 40 ? 'good' : roll < 70 ? 'spoiled' : roll < 88 ? 'malformed' : 'credential';
  const draft = goodDraft(operation, fixture, random, first);
  const { credentials, rival } = fixture;
  const credential = await credentials[kind === 'credential' ? 'other' : 'full'](operation, random);
  let trespasses = false;
  const nouns = Object.keys(draft.params).map((name) => [name, nounOf(operation, name)] as const);
  if (!first && nouns.length > 0 && random.chance(0.08)) {
    const [name, noun] = random.oneOf(nouns);
    draft.params[name] = rival.some(noun, random);
    trespasses = MADE_BY_SERVER.has(noun);
  } else if (kind === 'spoiled') spoil(draft, operation, random);
  const request = worded(operation, draft, random, kind === 'spoiled');
  const whole: FuzzedRequest = { ...request, operation, kind, credential, trespasses };
  whole.headers = { ...whole.headers, ...credential.headers };
  return kind === 'malformed' ? malformed(whole, random) : whole;
}

function goodDraft(operation: Operation, fixture: Fixture, random: Random, first: boolean): Draft {
  const hint = hintsOf(fixture.own, random);
  const draft: Draft = { params: paramsOf(operation, fixture, random), query: [], headers: {} };
  for (const parameter of operation.parameters.filter((one) => one.in !== 'path')) {
    if (!parameter.required && (first || random.chance(0.6))) continue;
    const text = textOf(parameter, hint(parameter.name), random);
    if (parameter.in === 'query') draft.query.push([parameter.name, text]);
    else if (/^[\x20-\x7e]+$/.test(text)) draft.headers[parameter.name] = text;
  }
  const types = Object.entries(operation.bodies);
  if (types.length === 0) return draft;
  const [contentType, { schema, examples }] = first ? types[0]! : random.oneOf(types);
  const example = examples.length > 0 ? random.oneOf(examples) : undefined;
  draft.contentType = contentType;
  if (example !== undefined && (first || random.chance(0.5))) {
    draft.body = first ? example : freshened(example, hint, random);
  } else draft.body = contentType === NDJSON ? example : sampleOf(schema, random, hint);
  return draft;
}

const NDJSON = 'application/x-ndjson';
const MULTIPART = 'multipart/form-data';

/** A document is asked for in its own store. */
function paramsOf(operation: Operation, { own }: Fixture, random: Random): Record<string, string> {
  const names = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name);
  const some = (noun: Noun) => (noun === 'stores' && random.chance(0.7) ? 'help' : own.some(noun, random));
  return Object.fromEntries(names.map((name) => [name, some(nounOf(operation, name))]));
}

function textOf({ schema, examples }: Parameter, hinted: unknown, random: Random): string {
  const shown = examples.length > 0 && random.chance(0.5) ? random.oneOf(examples) : undefined;
  return String(shown ?? hinted ?? sampleOf(schema, random, () => undefined));
}

/** One thing about it is wrong, wherever there is room for that. */
function spoil(draft: Draft, operation: Operation, random: Random): void {
  const params = Object.keys(draft.params);
  const queries = operation.parameters.filter((one) => one.in === 'query');
  const places: (() => unknown)[] = [];
  // Most can go wrong in a body.
  if (draft.body !== undefined) for (let share = 0; share < 4; share++) places.push(() => spoilBody(draft, random));
  if (params.length > 0) {
    places.push(() => Object.assign(draft.params, { [random.oneOf(params)]: oddText(random).slice(0, 5_000) }));
  }
  if (queries.length > 0) {
    places.push(() => draft.query.push([random.oneOf(queries).name, oddText(random).slice(0, 2_000)]));
  }
  places.push(() => draft.query.push([oddText(random).slice(0, 200), 'x']));
  random.oneOf(places)();
}

function spoilBody(draft: Draft, random: Random): void {
  if (draft.contentType !== NDJSON) draft.body = spoiled(draft.body, random);
  else {
    const lines = String(draft.body).split('\n');
    lines.splice(random.below(lines.length), random.below(2), random.chance(0.5) ? written({ eventName: 7 }) : '{"a":');
    draft.body = lines.join('\n');
  }
}

/** With the headers more than this is more than HTTP servers read. */
const MAX_TARGET = 10_000;

type Worded = Pick<
  FuzzedRequest,
  'method' | 'target' | 'headers' | 'body' | 'framing' | 'alsoStatuses' | 'mayBeAnother'
>;

function worded(operation: Operation, draft: Draft, random: Random, isSpoiled: boolean): Worded {
  const encoded = (text: string) => encodeURIComponent(text.toWellFormed());
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(draft.params[name] ?? ''));
  const query = draft.query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
  // An empty id, and one of dots, make another path of it.
  const strays = Object.values(draft.params).some((id) => /^\.{0,2}$|\//.test(id));
  const isLong = path.length + query.length > MAX_TARGET;
  const request: Worded = {
    method: operation.method,
    target: query ? `${path}?${query}` : path,
    headers: { ...draft.headers },
    framing: 'length',
    ...(strays ? { mayBeAnother: true as const } : {}),
    alsoStatuses: [
      ...(strays || (isSpoiled && Object.keys(draft.params).length > 0) ? [400, 404, 405] : []),
      ...(isLong ? [431] : []),
    ],
  };
  if (draft.body === undefined) return request;
  if (draft.contentType === MULTIPART) return { ...request, ...formOf(draft.body, request.headers) };
  const text = draft.contentType === NDJSON ? String(draft.body) : written(draft.body);
  request.body = Buffer.from(isSpoiled && random.chance(0.15) ? misspelled(text, random) : text);
  request.headers['content-type'] = draft.contentType!;
  return request;
}

const BOUNDARY = 'a-boundary-of-the-tests';

function formOf(fields: unknown, headers: Record<string, string>): Pick<FuzzedRequest, 'headers' | 'body'> {
  const parts = Object.entries(typeof fields === 'object' ? (fields ?? {}) : {}).map(([name, value]) => {
    const isFile = name === 'file' ? `; filename="faq.md"` : '';
    const text = typeof value === 'string' ? value : written(value);
    const safe = name.replace(/[\0\r\n"]/g, '_');
    return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${safe}"${isFile}\r\n\r\n${text}\r\n`;
  });
  return {
    headers: { ...headers, 'content-type': `${MULTIPART}; boundary=${BOUNDARY}` },
    body: Buffer.from(`${parts.join('')}--${BOUNDARY}--\r\n`),
  };
}
