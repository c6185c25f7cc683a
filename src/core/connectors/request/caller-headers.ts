import { isHeaderValue } from '../../providers/secret-schema.ts';
import { formatPath } from '../../shared/parse.ts';
import { simpleTexts } from './form-text.ts';

/** RFC 9110, 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/;
const MAX_VALUE = 8_000;
const MAX_HEADERS = 50;

/**
 * What no caller may set, in small letters, `-` at the end standing for all that begin so. `Range` and the conditional
 * headers are not among them: they are the caller's own business with the API and ask for less, never for more.
 */
const REFUSED: Record<string, readonly string[]> = {
  "is the connection's own": [
    ...['host', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'expect', 'te'],
    ...['trailer', 'http2-settings', 'proxy-', 'sec-websocket-', 'max-forwards', 'via'],
  ],
  'is set by the way the connector authenticates': ['authorization', 'cookie', 'cookie2', 'set-cookie'],
  // The body is written here, and the answer's encodings are those that can be decoded here.
  "is set by the connector's resource": ['content-type', 'content-encoding', 'accept-encoding'],
  // An API behind a proxy trusts these about who asks, and through what host.
  'is for proxies to set': [
    ...['x-forwarded-', 'x-forwarded', 'forwarded', 'forwarded-', 'x-real-ip', 'x-client-ip', 'x-cluster-client-ip'],
    ...['true-client-ip', 'cf-connecting-', 'fastly-client-ip', 'x-originating-ip', 'x-remote-', 'x-host'],
    ...['x-original-host'],
  ],
  // A resource is a method and a path; these make it another.
  'would call another method or path': [
    ...['x-http-method', 'x-http-method-', 'x-method-override', 'x-original-url', 'x-rewrite-url', 'x-original-uri'],
    ...['x-original-method', 'x-override-url'],
  ],
};

const REASONS = new Map(Object.entries(REFUSED).flatMap(([reason, names]) => names.map((name) => [name, reason])));
const PREFIXES = [...REASONS.keys()].filter((name) => name.endsWith('-'));

/** Headers of a call: those of its data and those of its options. */
export interface CallerHeaders {
  data: Record<string, unknown>;
  options: Record<string, unknown>;
  /** Whether `data` says its places. */
  isStructured: boolean;
}

/**
 * Names and values in turn. `taken` are those that the connector sets itself, as `comparableName` has them. What cannot
 * be sent, or not by a caller, is told to `report`; no message repeats a value.
 */
export function callerHeaders(
  { data, options, isStructured }: CallerHeaders,
  taken: ReadonlySet<string>,
  report: (message: string) => void,
): string[] {
  const seen = new Set<string>();
  const dataPath = isStructured ? ['data', 'headers'] : ['data'];
  const all = [
    ...Object.entries(data).map(([name, value]) => ({ name, value, path: [...dataPath, name] })),
    ...Object.entries(options).map(([name, value]) => ({ name, value, path: ['options', 'headers', name] })),
  ];
  if (all.length > MAX_HEADERS) report(`options.headers: must with those of data be at most ${MAX_HEADERS}`);
  return all.slice(0, MAX_HEADERS).flatMap(({ name, value, path }) => {
    const key = comparableName(name);
    const problem = seen.has(key) ? 'is given twice; case does not matter in headers' : problemOf(name, value, taken);
    seen.add(key);
    if (problem === null) return [name, simpleTexts(value)!.join(',')];
    report(`${formatPath(path)}: ${problem}`);
    return [];
  });
}

function problemOf(name: string, value: unknown, taken: ReadonlySet<string>): string | null {
  if (!TOKEN.test(name)) return 'is no name of a header';
  const key = comparableName(name);
  const prefix = PREFIXES.find((one) => key.startsWith(one));
  const reason = REASONS.get(key) ?? (prefix === undefined ? undefined : REASONS.get(prefix));
  if (reason !== undefined) return `${reason} and cannot be given`;
  if (taken.has(key)) return 'is set by the connector and cannot be given';
  const text = simpleTexts(value)?.join(',');
  if (text === undefined) return 'must be a text, a number or a boolean, or a list of them';
  if (text.length > MAX_VALUE) return `must have at most ${MAX_VALUE} characters`;
  return isHeaderValue(text) ? null : 'must be printable ASCII on one line, without blanks at its ends';
}

/** Servers that hand headers on as variables make no difference between `-` and `_`. */
export function comparableName(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}
