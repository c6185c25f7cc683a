import { type Transport, TransportFault, type UpstreamRequest } from '../core/agents/connectors/call/transport.ts';
import { MemoryBudget } from '../core/base/concurrency/memory-budget.ts';
import { dispatchers } from './dispatchers.ts';
import { ACCEPTED_CODINGS, BudgetShare, readWholeBody } from './read-body.ts';
import { type OutgoingRequest, openRequest } from './request.ts';
import { TransportFaults } from './transport-faults.ts';

/** Decompressed bytes of all responses. One tenant may use half. */
const BUDGET_BYTES = 256 * 1024 * 1024;

interface TransportOptions {
  connections?: Pick<typeof dispatchers, 'callDispatcherFor'>;
  budget?: MemoryBudget;
}

/** Behind the SSRF guard. Throws `unavailable` before sending if the memory budget is exhausted. */
export function makeTransport({
  connections = dispatchers,
  budget = new MemoryBudget(BUDGET_BYTES),
}: TransportOptions = {}): Transport {
  return {
    async send(policy, request) {
      const { url, method, maxBytes, signal } = request;
      const faults = new TransportFaults(url, policy);
      checkAddress(url, faults);
      signal.throwIfAborted();
      const share = new BudgetShare(budget, policy.tenantId, maxBytes);
      let maybeSent = false;
      try {
        const answer = await openRequest(connections.callDispatcherFor(policy), outgoing(request), () => {
          maybeSent = true;
        });
        try {
          const body = await readWholeBody(answer, { method, maxBytes, signal, share, faults });
          return { status: answer.status, headers: answer.headers, body };
        } finally {
          // Ends a body that was not read to the end.
          answer.body.destroy();
        }
      } catch (error) {
        signal.throwIfAborted();
        throw error instanceof TransportFault ? error : faults.of(error, { maybeSent, status: null });
      } finally {
        share.release();
      }
    },
  };
}

function checkAddress(url: URL, faults: TransportFaults): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw faults.refused(`only http and https addresses are called, not ${url.protocol}.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw faults.refused('addresses with a user name or a password are not called; use auth.');
  }
}

function outgoing({ url, method, headers, body, signal }: UpstreamRequest): OutgoingRequest {
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers: withDefaultHeaders(headers),
    body,
    signal,
  };
}

function withDefaultHeaders(headers: string[]): string[] {
  const all = ['accept-encoding', ACCEPTED_CODINGS];
  let hasUserAgent = false;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index]!.toLowerCase();
    hasUserAgent ||= name === 'user-agent';
    if (name !== 'accept-encoding') all.push(headers[index]!, headers[index + 1]!);
  }
  if (!hasUserAgent) all.push('user-agent', 'agent-runtime');
  return all;
}
