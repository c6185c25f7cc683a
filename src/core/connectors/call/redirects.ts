import { RuntimeError } from '../../shared/errors.ts';
import { shownHost } from './shown-host.ts';
import { type Transport, TransportFault, type UpstreamAnswer, type UpstreamRequest } from './transport.ts';

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * A transport that follows up to three redirects of GET and HEAD within the same origin, so that
 * headers with secrets go to no other host. Size cap and SSRF guard of the inner transport apply to
 * every hop.
 */
export function followRedirects(transport: Transport): Transport {
  return {
    async send(policy, request) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return transport.send(policy, request);
      let { url } = request;
      for (let redirects = 0; ; redirects += 1) {
        const answer = await transport.send(policy, { ...request, url }).catch((error: unknown) => {
          throw redirects === 0 ? error : afterRedirect(error);
        });
        const location = locationOf(answer);
        if (location === null) return answer;
        if (redirects === MAX_REDIRECTS) throw fault(request, answer, `redirects more than ${MAX_REDIRECTS} times`);
        url = nextUrl(location, url, (why) => fault(request, answer, why));
      }
    },
  };
}

function locationOf({ status, headers }: UpstreamAnswer): string | null {
  return REDIRECTS.has(status) ? (headers.location ?? null) : null;
}

function nextUrl(location: string, url: URL, faultOf: (why: string) => TransportFault): URL {
  const next = URL.parse(location, url.href);
  if (next === null) throw faultOf('redirects to what is no address');
  if (url.protocol === 'https:' && next.protocol === 'http:') {
    throw faultOf('redirects from https to http, which is not followed');
  }
  if (next.origin !== url.origin) {
    throw faultOf('redirects to another origin, which is not followed; if the API has moved, change the baseUrl');
  }
  return next;
}

/** The first request has reached the API, whatever happened to this one. */
function afterRedirect(error: unknown): unknown {
  if (error instanceof TransportFault && !error.maybeSent) {
    return new TransportFault(error.kind, error.message, { maybeSent: true, status: error.status, cause: error });
  }
  if (!(error instanceof RuntimeError)) return error;
  return new TransportFault('broken', error.message, { maybeSent: true, cause: error });
}

/** Does not name the target, which may be an internal address. */
function fault({ url, method }: UpstreamRequest, { status }: UpstreamAnswer, why: string): TransportFault {
  return new TransportFault('blocked', `${method} is answered with ${status}: ${shownHost(url)} ${why}.`, {
    maybeSent: true,
    status,
  });
}
