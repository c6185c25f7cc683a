import { formatPath } from '../../../base/shared/issues.ts';
import { isHeaderValue } from '../../providers/secret-schema.ts';
import type { HeaderStyle } from '../definition/resource-schema.ts';
import { joinedText } from './styles.ts';

/** RFC 9110, 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/;
const MAX_VALUE = 8_000;
const MAX_HEADERS = 50;

/** Lower-case names; a final `-` marks a prefix. `Range` and conditional headers are harmless. */
const REFUSED: Record<string, readonly string[]> = {
  "is the connection's own": [
    ...['host', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'expect', 'te'],
    ...['trailer', 'http2-settings', 'proxy-', 'sec-websocket-', 'max-forwards', 'via'],
  ],
  'is set by the way the connector authenticates': ['authorization', 'cookie', 'cookie2', 'set-cookie'],
  // The server encodes the body, and decodes certain encodings only.
  "is set by the connector's resource": ['content-type', 'content-encoding', 'accept-encoding'],
  // An API behind a proxy trusts these about client and host.
  'is for proxies to set': [
    ...['x-forwarded-', 'x-forwarded', 'forwarded', 'forwarded-', 'x-real-ip', 'x-client-ip', 'x-cluster-client-ip'],
    ...['true-client-ip', 'cf-connecting-', 'fastly-client-ip', 'x-originating-ip', 'x-remote-', 'x-host'],
    ...['x-original-host'],
  ],
  'would call another method or path': [
    ...['x-http-method', 'x-http-method-', 'x-method-override', 'x-original-url', 'x-rewrite-url', 'x-original-uri'],
    ...['x-original-method', 'x-override-url'],
  ],
};

const REASONS = new Map(Object.entries(REFUSED).flatMap(([reason, names]) => names.map((name) => [name, reason])));
const PREFIXES = [...REASONS.keys()].filter((name) => name.endsWith('-'));

export interface CallerHeaders {
  data: Record<string, unknown>;
  options: Record<string, unknown>;
  isStructured: boolean;
  /** By name, for `data`. */
  styles: Record<string, HeaderStyle>;
}

/** Names and values alternate. `reserved` holds names by `comparableName`. Messages omit values. */
export function callerHeaders(
  { data, options, isStructured, styles }: CallerHeaders,
  reserved: ReadonlySet<string>,
  report: (message: string) => void,
): string[] {
  const seen = new Set<string>();
  const styleOf = new Map(Object.entries(styles).map(([name, style]) => [comparableName(name), style]));
  const dataPath = isStructured ? ['data', 'headers'] : ['data'];
  const all = [
    ...Object.entries(data).map(([name, value]) => ({ name, value, path: [...dataPath, name] })),
    ...Object.entries(options).map(([name, value]) => ({ name, value, path: ['options', 'headers', name] })),
  ];
  if (all.length > MAX_HEADERS) report(`options.headers: must with those of data be at most ${MAX_HEADERS}`);
  return all.slice(0, MAX_HEADERS).flatMap(({ name, value, path }) => {
    const key = comparableName(name);
    const written = joinedText(name, value, styleOf.get(key) ?? 'simple');
    const problem = seen.has(key)
      ? 'is given twice; case does not matter in headers'
      : problemOf(name, written, reserved);
    seen.add(key);
    if (problem === null && typeof written !== 'string') return [name, written.text];
    report(`${formatPath(path)}: ${problem}`);
    return [];
  });
}

function problemOf(name: string, written: ReturnType<typeof joinedText>, reserved: ReadonlySet<string>): string | null {
  if (!TOKEN.test(name)) return 'is not a header name';
  const key = comparableName(name);
  const prefix = PREFIXES.find((one) => key.startsWith(one));
  const reason = REASONS.get(key) ?? (prefix === undefined ? undefined : REASONS.get(prefix));
  if (reason !== undefined) return `${reason} and cannot be given`;
  if (reserved.has(key)) return 'is set by the connector and cannot be given';
  if (typeof written === 'string') return written;
  const { text } = written;
  if (text.length > MAX_VALUE) return `must have at most ${MAX_VALUE} characters`;
  return isHeaderValue(text) ? null : 'must be printable ASCII on one line, without blanks at its ends';
}

/** CGI servers do not distinguish `-` and `_` in names. */
export function comparableName(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}
