import { gzipSync } from 'node:zlib';
import type { Random } from './random.ts';
import type { FuzzedRequest } from './requests.ts';

type Malformation = (request: FuzzedRequest, random: Random) => void;

/** The same request with malformed HTTP. */
export function malformed(request: FuzzedRequest, random: Random): FuzzedRequest {
  random.oneOf([...(request.body ? OF_BODIES : []), ...OF_ALL])(request, random);
  return request;
}

const TYPES = [
  ...['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data', 'nonsense'],
  ...['application/json; charset=utf-16', 'application/json; charset=latin1', 'APPLICATION/JSON', '', ';;;'],
  ...[
    'application/x-ndjson',
    'application/vnd.api+json',
    'multipart/form-data; boundary=',
    'application/json, text/html',
  ],
];

const OF_BODIES: Malformation[] = [
  (request, random) => {
    request.headers['content-type'] = random.oneOf(TYPES);
  },
  (request) => {
    delete request.headers['content-type'];
  },
  (request, random) => {
    const at = random.below(request.body!.length + 1);
    const bytes = random.oneOf([[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80], [0xe2, 0x82], [0]]);
    request.body = Buffer.concat([request.body!.subarray(0, at), Buffer.from(bytes), request.body!.subarray(at)]);
  },
  (request, random) => {
    request.headers['content-encoding'] = random.oneOf(['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip', 'é', '']);
  },
  (request, random) => {
    const zipped = gzipSync(request.body!);
    request.headers['content-encoding'] = 'gzip';
    request.body = random.chance(0.5) ? zipped : zipped.subarray(0, random.below(zipped.length));
  },
  (request) => {
    request.headers['content-encoding'] = 'gzip';
    request.body = BOMB;
  },
  (request) => {
    request.body = Buffer.alloc(0);
  },
  (request, random) => {
    request.framing = random.oneOf(['chunked', 'chunked-cut', 'length-cut', 'length-short'] as const);
  },
];

/** Twenty-five megabytes of spaces, in as many kilobytes. */
const BOMB = gzipSync(Buffer.alloc(25 * 1024 * 1024, ' '));

const QUERIES = [
  ...['a[b]=c', 'limit[]=1', 'limit=1&limit=2', 'agentId=a&agentId=b', 'limit=%00', 'agentId=%ff', 'search=%E0%A4%A'],
  ...['offset=1e3', 'limit=+5', 'limit=0x10', 'limit=99999999999999999999', 'offset=9007199254740993', 'limit=-0'],
  ...['limit=', 'agentId=', '=', '&&&', '?', '__proto__=1', '__proto__[a]=1', 'constructor=1', 'partial=maybe'],
  ...[`search=${'a+'.repeat(1_000)}`, 'dateFrom=0000-00-00', 'dateTo=%2B275760-09-14', 'status=%F0%9F%8C%8D', ';a=b'],
  ...['environment=__proto__', 'environment=STAGING', 'format=../../x', 'hasOwnProperty=1', '%=%', 'limit=1%'],
];

const IDS = [
  ...['%2e%2e', '%2E', '..', '%2f%2f', '%00', '%ff', '%', '%zz', '%F0%9F%8C%8D', '%ED%A0%80', 'a%0d%0ab', '%5c', '%20'],
  ...[
    '%252e',
    'null',
    'undefined',
    '-1',
    '0',
    "'",
    '%22',
    '*',
    '__proto__',
    'constructor',
    '019cae1c',
    '%7B%7D',
    ';x=y',
  ],
  ...['a'.repeat(5_000), '%F0%9F%8C%8D'.repeat(300), '019CAE1C-A3A5-7B54-8CDA-B54CDA26B54C', '{id}', 'stats', 'exists'],
];

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'PURGE'];

const HEADERS: [string, string][] = [
  ...[
    'image/png',
    'image/svg+xml',
    '*/*;q=0',
    'text/event-stream',
    'application/x-ndjson',
    ';;',
    'é',
    'a/b'.repeat(999),
  ].map((value): [string, string] => ['accept', value]),
  ...['', 'a'.repeat(300), '../../x', '{"a":1}', 'x y', 'é', '%00', '__proto__'].map((value): [string, string] => [
    'x-request-id',
    value,
  ]),
  ...['', 'never', 'a'.repeat(3_000), '9.9.9', '-1', '{}', '%00'].map((value): [string, string] => [
    'x-wait-for',
    value,
  ]),
  ['idempotency-key', 'a'.repeat(500)],
  ['expect', '100-continue'],
  ['expect', 'nonsense'],
  ['if-none-match', '*'],
  ['if-modified-since', 'Sat, 01 Jan 2050 00:00:00 GMT'],
  ['range', 'bytes=0-1'],
  ['x-http-method-override', 'DELETE'],
  ['origin', 'https://evil.example.com'],
  ['cookie', '__proto__=1; session=x'],
  ['host', 'evil.example.com:99999'],
  ['x-forwarded-for', "'; DROP TABLE users; --"],
  ['accept-encoding', 'br;q=nonsense, *;q=2'],
  ['last-event-id', '7'],
  ['mcp-session-id', 'nonsense'],
  ['x-long', 'a'.repeat(10_000)],
  ['x-too-long', 'a'.repeat(20_000)],
];

/** A strange path may be nobody's or another operation's, and a strange method is not possible. */
function stray(request: FuzzedRequest, ...more: number[]): void {
  request.alsoStatuses.push(400, 404, 405, ...more);
  request.mayBeAnother = true;
}

const OF_ALL: Malformation[] = [
  (request, random) => {
    const query = random.oneOf(QUERIES);
    request.target += request.target.includes('?') ? `&${query}` : `?${query}`;
    request.alsoStatuses.push(400);
  },
  (request, random) => {
    const ids = request.operation.path.split('/');
    const asked = request.target.split('?')[0]!.split('/');
    const places = [...ids.keys()].filter((index) => ids[index]!.startsWith('{'));
    const at = places.length > 0 ? random.oneOf(places) : asked.length - 1;
    asked[at] = random.oneOf(IDS);
    request.target = asked.join('/');
    stray(request, 406);
  },
  (request, random) => {
    const [path, query] = request.target.split('?');
    const odd = random.oneOf([`${path}/`, `/${path}`, `${path}//`, path!.toUpperCase(), `${path}/.`, `/./${path}`]);
    request.target = query === undefined ? odd : `${odd}?${query}`;
    stray(request, 406);
  },
  (request, random) => {
    request.method = random.oneOf(METHODS.filter((method) => method !== request.operation.method));
    stray(request);
  },
  (request, random) => {
    const [name, value] = random.oneOf(HEADERS);
    request.headers[name] = value;
    if (name === 'expect') request.alsoStatuses.push(417);
    if (name === 'x-too-long') request.alsoStatuses.push(431);
    if (name === 'x-wait-for' || name === 'host') request.alsoStatuses.push(400, 403);
    if (name === 'if-none-match') request.alsoStatuses.push(304);
    if (name === 'accept') request.alsoStatuses.push(406);
  },
  (request) => {
    request.body ??= Buffer.from('{"unexpected":true}');
    request.headers['content-type'] ??= 'application/json';
  },
];
