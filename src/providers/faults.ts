import { type FaultKind, ProviderFault } from '../core/chat/provider.ts';

/** Longer ones are pages of a proxy, or quote the whole request. */
const MAX_MESSAGE = 1_000;

/** A provider's error status as a fault. */
export function faultOfStatus(status: number, message: string, headers: Headers): ProviderFault {
  return new ProviderFault(kindOf(status), shortened(message), {
    status,
    retryAfterMs: retryAfterOf(headers, Date.now()),
    requestId: requestIdOf(headers),
  });
}

function kindOf(status: number): FaultKind {
  if (status === 401 || status === 403) return 'credential';
  if (status === 429) return 'rate_limited';
  if (status === 408 || status === 409 || status >= 500) return 'unavailable';
  return status >= 400 ? 'refused' : 'broken';
}

/** A text of somebody else's, for a message of ours. */
export function shortened(message: string): string {
  const line = message.replace(/\s+/g, ' ').trim();
  return line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE).toWellFormed()}...` : line;
}

/** The provider's own id of a request, under the names that vendors use. */
export function requestIdOf(headers: Headers): string | null {
  for (const name of ['x-request-id', 'request-id', 'x-amzn-requestid', 'apim-request-id', 'x-goog-request-id']) {
    const id = headers.get(name);
    if (id) return id.slice(0, 200);
  }
  return null;
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date; in milliseconds from now. */
function retryAfterOf(headers: Headers, now: number): number | null {
  const precise = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (precise >= 0) return precise;
  const text = headers.get('retry-after');
  if (text === null || text === '') return null;
  const seconds = Number(text);
  if (!Number.isNaN(seconds)) return Math.max(0, seconds * 1_000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
