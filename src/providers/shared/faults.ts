import type { IncomingHttpHeaders } from 'node:http';
import { type FaultKind, ProviderFault } from '../../core/agents/chat/provider.ts';

/** Longer messages are HTML pages of a proxy, or quote the whole request. */
const MAX_MESSAGE = 1_000;
/** xAI and Google answer 400 to an invalid key. */
const KEY_REFUSED = /\bAPI key\b.*\b(invalid|not valid|expired)\b|\b(incorrect|invalid) API key\b/i;

/** `retryAfterMs`: for vendors that do not send it in a header. */
export function faultOfStatus(
  status: number,
  message: string,
  headers: IncomingHttpHeaders = {},
  retryAfterMs = retryAfterOf(headers, Date.now()),
): ProviderFault {
  return new ProviderFault(kindOf(status, message), shortMessage(message), {
    status,
    retryAfterMs,
    requestId: requestIdOf(headers),
  });
}

function kindOf(status: number, message: string): FaultKind {
  // 402: the account of the key has no credit.
  if (status === 401 || status === 402 || status === 403) return 'credential';
  if (status === 429) return 'rate_limited';
  if (status === 408 || status === 409 || status >= 500) return 'unavailable';
  if (status === 400 && KEY_REFUSED.test(message)) return 'credential';
  return status >= 400 ? 'refused' : 'broken';
}

export interface VendorError {
  message?: string;
  code?: unknown;
  type?: unknown;
  status?: unknown;
  status_code?: unknown;
}

const MEANINGS: [RegExp, number][] = [
  [/rate_limit|too_many|quota|exhausted/i, 429],
  [/invalid|unsupported|image|policy|context_length|data_residency/i, 400],
];

export function faultOfVendorError({ message, code, type, status, status_code }: VendorError, retryAfterMs?: number) {
  const number = [status, status_code, code].map(Number).find((one) => one >= 400 && one < 600);
  const meant = MEANINGS.find(([words]) => words.test(`${code} ${type}`))?.[1] ?? 500;
  return faultOfStatus(number ?? meant, message || 'The provider failed.', undefined, retryAfterMs);
}

/** Names only the code of the error: messages contain addresses. */
export function faultOfConnection(error: unknown): ProviderFault {
  const reason = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  // The definition is at fault, not the request, so a fallback may be tried.
  if (reason.name === 'BlockedAddress') return new ProviderFault('unavailable', reason.message);
  if (!reason.code) return new ProviderFault('unavailable', 'The request could not be sent.');
  return new ProviderFault('unavailable', `The provider cannot be reached (${reason.code}).`);
}

export function shortMessage(message: string): string {
  const line = message.replace(/\s+/g, ' ').trim();
  return line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE).toWellFormed()}...` : line;
}

export function requestIdOf(headers: IncomingHttpHeaders): string | null {
  for (const name of ['x-request-id', 'request-id', 'x-amzn-requestid', 'apim-request-id', 'x-goog-request-id']) {
    const id = valueIn(headers, name);
    if (id) return id.slice(0, 200);
  }
  return null;
}

function valueIn(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Milliseconds from now. */
function retryAfterOf(headers: IncomingHttpHeaders, now: number): number | null {
  const precise = valueIn(headers, 'retry-after-ms');
  if (precise && Number(precise) >= 0) return finite(Number(precise));
  const text = valueIn(headers, 'retry-after');
  if (!text) return null;
  const seconds = Number(text);
  return finite(Number.isNaN(seconds) ? Date.parse(text) - now : seconds * 1_000);
}

function finite(milliseconds: number): number | null {
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : null;
}
