import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Vendor } from '../../../src/core/agents/chat/capabilities.ts';
import type { Outcome } from './outcomes.ts';
import { ELSEWHERE, type Ending, play, refuse } from './play.ts';
import { refusal } from './refusals.ts';
import { Tally } from './tally.ts';
import { BASE_PATHS, type Endpoint, endpointOf, identityOf, modelOf } from './vendors.ts';

export interface ReceivedRequest {
  method: string;
  /** With its query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Parsed, where it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into requests of every shape
  body: any;
  /** The id that the answer's headers give it; null where the vendor gives none. */
  requestId: string | null;
}

/** Every vendor of models, on one free port of this machine. The path of a request tells who is asked. */
export interface FakeUpstream {
  url: string;
  /** What the vendor's SDK takes as its base URL or endpoint. */
  baseUrl(vendor: Vendor): string;
  /** In the order in which they came whole. */
  requests: ReceivedRequest[];
  /** What the next requests get, one each; the last stays. Before it is called, all get a clean answer. */
  script(...outcomes: Outcome[]): void;
  /** Lets one `hold` go on, also one that is yet to come. */
  release(): void;
  /** Breaks every connection at once and takes no new ones, as a server whose process dies. */
  crash(): void;
  /** Requests whose answer has not ended. */
  readonly open: number;
  /** Answers that clients left before their end. */
  readonly aborted: number;
  /** Bytes of streams that the network has taken. */
  readonly bytesSent: number;
  whenRequested(count?: number): Promise<void>;
  whenAborted(count?: number): Promise<void>;
}

/** Starts a fake upstream, gone after the test with all its connections. */
export async function fakeUpstream(t: { after(cleanup: () => void): void }): Promise<FakeUpstream> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A file whose tests are all left out must end, too.
  server.unref();
  const crash = () => {
    server.close();
    server.closeAllConnections();
  };
  t.after(crash);
  const upstream = new Upstream(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, crash);
  server.on('request', (request, response) => void upstream.answer(request, response));
  return upstream;
}

class Upstream implements FakeUpstream {
  readonly url: string;
  readonly crash: () => void;
  readonly requests: ReceivedRequest[] = [];
  open = 0;
  bytesSent = 0;
  private outcomes: Outcome[] = [];
  private holds = 0;
  private readonly received = new Tally();
  private readonly left = new Tally();
  private readonly releases = new Tally();

  constructor(url: string, crash: () => void) {
    this.url = url;
    this.crash = crash;
  }

  get aborted(): number {
    return this.left.count;
  }

  baseUrl(vendor: Vendor): string {
    return `${this.url}${BASE_PATHS[vendor]}`;
  }

  script(...outcomes: Outcome[]): void {
    this.outcomes = outcomes;
  }

  release(): void {
    this.releases.add();
  }

  whenRequested(count = 1): Promise<void> {
    return this.received.reach(count);
  }

  whenAborted(count = 1): Promise<void> {
    return this.left.reach(count);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const left = new AbortController();
    let over = false;
    const finish = () => {
      over = true;
      this.open -= 1;
    };
    this.open += 1;
    response.on('close', () => {
      if (over) return;
      finish();
      left.abort();
      this.left.add();
    });
    try {
      const ending = await this.perform(await this.receive(request), response, left.signal);
      if (over) return;
      finish();
      if (ending === 'end') response.end();
      else if (ending === 'cut') request.socket.destroy();
      else request.socket.resetAndDestroy();
    } catch (error) {
      // Who has left is counted where the response closes. All else is a mistake of the fake, or of its script.
      if (request.socket.destroyed) return;
      request.socket.destroy();
      throw error;
    }
  }

  private async receive(request: IncomingMessage): Promise<Received> {
    const asked = request.url ?? '/';
    const moved = asked.startsWith(ELSEWHERE);
    const path = moved ? asked.slice(ELSEWHERE.length) : asked;
    const body = await bodyOf(request);
    const endpoint = endpointOf(path);
    const number = this.requests.length + 1;
    const { id, headers } = endpoint ? identityOf(endpoint.vendor, number) : { id: null, headers: {} };
    this.requests.push({ method: request.method ?? '', path: asked, headers: request.headers, body, requestId: id });
    this.received.add();
    return { path, body, endpoint, number, id, headers, outcome: moved ? {} : this.next() };
  }

  /** The last outcome stays. */
  private next(): Outcome {
    return (this.outcomes.length > 1 ? this.outcomes.shift() : this.outcomes[0]) ?? {};
  }

  private async perform(received: Received, response: ServerResponse, left: AbortSignal): Promise<Ending> {
    const { path, body, endpoint, number, id, headers, outcome } = received;
    response.setHeaders(new Map(Object.entries(headers)));
    if (!endpoint) return refuse(response, { status: 404, headers: {}, body: 'No vendor has this path.' });
    const { vendor, protocol, saysStream } = endpoint;
    const wantsUsage = Boolean(body?.stream_options?.include_usage);
    const exchange = { vendor, model: modelOf(path, body), number, requestId: id, wantsUsage };
    if (saysStream && body?.stream !== true)
      return refuse(response, refusal(400, exchange, { message: 'This upstream answers in streams alone.' }));
    return play({
      ...{ response, path, protocol, exchange, outcome, left },
      released: () => this.releases.reach(++this.holds),
      sent: (bytes) => {
        this.bytesSent += bytes;
      },
    });
  }
}

/** What a request asks for, and what it is to get. */
interface Received {
  path: string;
  body: ReceivedRequest['body'];
  endpoint: Endpoint | null;
  number: number;
  id: string | null;
  headers: Record<string, string>;
  outcome: Outcome;
}

async function bodyOf(request: IncomingMessage): Promise<ReceivedRequest['body']> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
