import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EVENTS } from '../../support/app.ts';
import { JOBS, send as sendFile } from '../../support/knowledge.ts';
import { randomNumbers } from '../../support/random.ts';

const OBSERVABILITY = '/api/v1/runtime/observability';
const EXECUTIONS = '/api/v1/runtime/v1/observability/executions';
const CARDS = `${OBSERVABILITY}/dashboard-cards`;
const PAUSE_MS = 20;
const MAX_BATCH = 20;

/** What clients sent, by its identity: true once the server acknowledged it. */
export type Sent = Map<string, boolean>;

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  body: any;
}

export interface LoadOptions {
  url: string;
  key: string;
  seed: number;
  name?: string;
  ends?: readonly number[];
}

/**
 * Clients of every kind that work all the time, whatever becomes of the nodes. After a failure they repeat a request with
 * the same id; events without one are sent once.
 */
export class MixedLoad {
  readonly events: Sent = new Map();
  readonly executions: Sent = new Map();
  readonly reviews: Sent = new Map();
  readonly cards: Sent = new Map();
  readonly files: Sent = new Map();
  readonly jobs: string[] = [];
  /** Answers that no client may see. */
  readonly unexpected: string[] = [];
  awaited = 0;
  requests = 0;
  receipt = '';
  private readonly options: Required<LoadOptions>;
  private readonly random: () => number;
  private readonly clients: Promise<void>[];
  private stopped = false;
  private isOver = false;

  constructor(t: Pick<TestContext, 'after'>, options: LoadOptions) {
    t.after(() => {
      this.stopped = true;
      this.isOver = true;
    });
    this.options = { name: 'load', ends: [], ...options };
    this.random = randomNumbers(options.seed);
    const kinds = [
      this.sendEvents,
      this.sendEvents,
      this.sendEvents,
      this.sendEvents,
      this.sendRecords,
      this.sendFiles,
    ];
    this.clients = kinds.map((kind, client) => this.run(client, kind));
  }

  /** Clients finish what they must repeat. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.ended;
  }

  get ended(): Promise<unknown> {
    return Promise.all(this.clients);
  }

  private async run(client: number, kind: (marker: string, turn: number) => Promise<void>): Promise<void> {
    try {
      for (let turn = 0; !this.stopped; turn += 1) {
        await kind.call(this, `${this.options.name}-${client}-${turn}`, client + turn);
        await sleep(PAUSE_MS * this.random() * 2);
      }
    } catch (error) {
      if (!(error instanceof Ended)) this.unexpected.push(String(error));
    }
  }

  private async sendEvents(marker: string, turn: number): Promise<void> {
    const withIds = turn % 3 !== 0;
    const events = Array.from({ length: 1 + Math.floor(this.random() * MAX_BATCH) }, (_, index) => ({
      ...(withIds ? { id: `${marker}-${index}` } : {}),
      eventName: this.options.name,
      threadId: `thread ${turn % 7}`,
      properties: { unique: `${marker}-${index}`, marker, amount: index },
    }));
    for (const { properties } of events) this.events.set(properties.unique, false);
    const attempt = () => this.ask('POST', EVENTS, { events });
    const answer = withIds ? await this.repeated(202, attempt) : await attempt();
    if (answer?.status !== 202) return;
    for (const { properties } of events) this.events.set(properties.unique, true);
    const { accepted, duplicates, receipt } = answer.body;
    const isWhole = accepted + duplicates === events.length && (accepted === 0 || duplicates === 0);
    if (!isWhole) this.unexpected.push(`${marker}: ${JSON.stringify(answer.body)} of ${events.length}`);
    this.receipt = receipt;
    if (withIds && turn % 4 === 0) {
      const again = await attempt();
      if (again?.status === 202 && again.body.duplicates !== events.length) {
        this.unexpected.push(`${marker} again: ${JSON.stringify(again.body)}`);
      }
    }
    if (turn % 3 === 1) await this.askBack(marker, receipt, events.length);
  }

  private async askBack(marker: string, receipt: string, expected: number): Promise<void> {
    const question = {
      ...{ eventName: this.options.name, mode: 'aggregate', metrics: [{ aggregation: 'count', alias: 'n' }] },
      filters: [{ propertyKey: 'marker', operator: 'eq', value: marker }],
    };
    const answer = await this.ask('POST', `${EVENTS}/query`, question, { 'x-wait-for': receipt });
    if (answer?.status !== 200) return;
    const { rows, notes } = answer.body;
    // Said when the wait ends without them.
    if (JSON.stringify(notes ?? '').includes('not visible')) return;
    this.awaited += 1;
    if (rows[0]?.n !== expected) this.unexpected.push(`${marker}: ${JSON.stringify(answer.body)}, not ${expected}`);
  }

  private async sendRecords(marker: string, turn: number): Promise<void> {
    this.executions.set(marker, false);
    const execution = { id: marker, messages: [{ role: 'user', content: marker }], output: 'Amanhã.' };
    await this.repeated([200, 201], () => this.ask('POST', EXECUTIONS, execution));
    this.executions.set(marker, true);
    this.reviews.set(marker, false);
    const review = { rating: 'good', comment: `Um comentário de ${marker}` };
    await this.repeated([201, 409], () => this.ask('POST', `${EXECUTIONS}/${marker}/reviews`, review));
    this.reviews.set(marker, true);
    if (turn % 8 !== 0) return;
    this.cards.set(marker, false);
    const card = {
      ...{ title: marker, cardType: 'number', idempotencyKey: marker },
      // Named dates: then the answer does not name the moment.
      config: { eventName: this.options.name, aggregation: 'count', dateFrom: '2026-01-01', dateTo: '2035-12-31' },
    };
    await this.repeated([200, 201], () => this.ask('POST', CARDS, card));
    this.cards.set(marker, true);
  }

  private async sendFiles(marker: string): Promise<void> {
    const file = {
      name: `${marker}.md`,
      content: `# ${marker}\n\n${'A refund takes five days. '.repeat(80)}\n`.repeat(4),
    };
    const metadata = JSON.stringify({ sourceId: marker });
    this.files.set(marker, false);
    const { body } = await this.repeated(202, () => this.counted(() => sendFile(this.options, file, { metadata })));
    this.files.set(marker, true);
    this.jobs.push(body.jobId);
    const isEnded = async () => {
      const job = await this.repeated(200, () => this.ask('GET', `${JOBS}/${body.jobId}`));
      return ['completed', 'failed'].includes(job.body.status);
    };
    while (!this.stopped && !(await isEnded())) await sleep(10 * PAUSE_MS);
  }

  /** Until it is answered as it should be. */
  private async repeated(right: number | readonly number[], attempt: () => Promise<Answer | null>): Promise<Answer> {
    for (;;) {
      if (this.isOver) throw new Ended();
      const answer = await attempt();
      if (answer && [right].flat().includes(answer.status)) return answer;
      if (answer && this.options.ends.includes(answer.status)) throw new Ended();
      if (answer && answer.status < 500) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
      await sleep(PAUSE_MS);
    }
  }

  private ask(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const { url, key } = this.options;
    return this.counted(async () => {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    });
  }

  /** Null: the connection broke, at any point. */
  private async counted(request: () => Promise<Answer>): Promise<Answer | null> {
    this.requests += 1;
    return request().catch(() => null);
  }
}

class Ended extends Error {}
