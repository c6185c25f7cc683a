import { RuntimeError } from '../../../base/shared/errors.ts';
import { redirectOf } from '../../../base/shared/redirects.ts';
import { shownHost } from './shown-host.ts';
import { type Transport, TransportFault, type UpstreamAnswer, type UpstreamRequest } from './transport.ts';

/** At most three, of GET and HEAD, within the same origin: no other host gets secrets. */
export function followRedirects(transport: Transport): Transport {
  return {
    async send(policy, request) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return transport.send(policy, request);
      let { url } = request;
      for (let followed = 0; ; followed += 1) {
        const answer = await transport.send(policy, { ...request, url }).catch((error: unknown) => {
          throw followed === 0 ? error : afterRedirect(error);
        });
        const redirect = redirectOf(
          { status: answer.status, location: answer.headers.location },
          { from: url, followed },
        );
        if (redirect === null) return answer;
        if ('refusal' in redirect) throw blocked(request, answer, redirect.refusal);
        if (redirect.next.origin !== url.origin) {
          const why = 'redirects to another origin, which is not followed; if the API has moved, change the baseUrl';
          throw blocked(request, answer, why);
        }
        url = redirect.next;
      }
    },
  };
}

/** The API has already received a request. */
function afterRedirect(error: unknown): unknown {
  if (error instanceof TransportFault && !error.maybeSent) {
    return new TransportFault(error.kind, error.message, { maybeSent: true, status: error.status, cause: error });
  }
  if (!(error instanceof RuntimeError)) return error;
  return new TransportFault('broken', error.message, { maybeSent: true, cause: error });
}

/** Does not name the new address, which may be in a private network. */
function blocked({ url, method }: UpstreamRequest, { status }: UpstreamAnswer, why: string): TransportFault {
  return new TransportFault('blocked', `${method} is answered with ${status}: ${shownHost(url)} ${why}.`, {
    maybeSent: true,
    status,
  });
}
