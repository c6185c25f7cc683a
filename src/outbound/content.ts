import { redirectOf } from '../core/base/network/redirects.ts';
import { dispatchers, type NetworkPolicy } from './dispatchers.ts';
import { guardedFetch } from './fetch.ts';
import { looksBlocked } from './guard.ts';

// Some hosts refuse requests without a user agent.
const HEADERS = { 'user-agent': 'agent-runtime' };

/** The client sees the message, which reveals nothing of this server's network. */
export class FetchFailed extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'FetchFailed';
  }
}

export interface ContentOptions extends NetworkPolicy {
  /** After decompression. */
  maxBytes: number;
  /** Called with each chunk's size before it is stored. What it throws rejects the fetch. */
  admit?: (bytes: number) => void;
  /** From the first DNS lookup to the last byte, over all redirects. */
  timeoutMs: number;
  signal?: AbortSignal;
}

export interface Content {
  /** Without parameters, in lower case. */
  contentType: string;
  bytes: Uint8Array;
}

/** Every redirect passes the SSRF guard. Rejects with a FetchFailed or the signal's reason. */
export async function fetchContent(
  address: string | URL,
  { maxBytes, admit, timeoutMs, signal, ...policy }: ContentOptions,
  connections = dispatchers,
): Promise<Content> {
  const url = fetchable(address);
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  const ended = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal;
  let refusal: { reason: unknown } | undefined;
  const onBytes = (bytes: number) => {
    try {
      admit?.(bytes);
    } catch (reason) {
      refusal = { reason };
      throw reason;
    }
  };
  try {
    const response = await follow(url, guardedFetch(policy, connections), ended);
    return { contentType: mediaTypeOf(response), bytes: await read(response, maxBytes, onBytes, url.host) };
  } catch (error) {
    signal?.throwIfAborted();
    if (refusal) throw refusal.reason;
    if (deadline.signal.aborted) throw new FetchFailed(`${url.host} did not answer within ${timeoutMs} ms`);
    throw fetchFault(error, url.host, policy);
  } finally {
    clearTimeout(timer);
    // Ends requests whose bodies were not read to the end.
    deadline.abort();
  }
}

function fetchable(address: string | URL): URL {
  const url = URL.parse(String(address));
  if (url === null) throw new FetchFailed('only full http and https addresses are fetched');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new FetchFailed(`only http and https addresses are fetched, not ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new FetchFailed('addresses with a user name or a password are not fetched');
  }
  return url;
}

async function follow(first: URL, fetch: ReturnType<typeof guardedFetch>, signal: AbortSignal): Promise<Response> {
  let url = first;
  for (let followed = 0; ; followed += 1) {
    const response = await fetch(url, { headers: HEADERS, redirect: 'manual', signal });
    const { status, headers } = response;
    const redirect = redirectOf({ status, location: headers.get('location') }, { from: url, followed });
    if (redirect === null) return response;
    if ('refusal' in redirect) throw new FetchFailed(`${first.host} ${redirect.refusal}`);
    url = fetchable(redirect.next);
  }
}

async function read(
  response: Response,
  maxBytes: number,
  onBytes: (bytes: number) => void,
  host: string,
): Promise<Uint8Array> {
  if (!response.ok) throw new FetchFailed(`${host} answered with status ${response.status}`);
  const tooLarge = new FetchFailed(`${host} answered with more than ${maxBytes} bytes`);
  if (Number(response.headers.get('content-length')) > maxBytes) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge;
    onBytes(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function mediaTypeOf(response: Response): string {
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
  return type.trim().toLowerCase() || 'application/octet-stream';
}

/** Omits the error's message, which names the addresses that were tried. */
function fetchFault(error: unknown, host: string, { allowPrivateNetwork }: NetworkPolicy): FetchFailed {
  if (error instanceof FetchFailed) return error;
  const { cause = error } = error as { cause?: unknown };
  const { code } = cause as { code?: unknown };
  if (looksBlocked(cause, allowPrivateNetwork)) {
    return new FetchFailed(
      `${host} is not at a public address, or leads to one that is not; only the operator may allow it (allowPrivateImages in the provider's definition)`,
      cause,
    );
  }
  return new FetchFailed(`${host} could not be fetched${typeof code === 'string' ? ` (${code})` : ''}`, cause);
}
