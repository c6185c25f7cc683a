import { type ClientRequest, request } from 'node:http';
import { EVENTS } from '../app.ts';
import { CHAT } from '../chat.ts';
import { accepted, type Desk, ended, send } from '../knowledge.ts';
import { makeZip } from '../zip.ts';

/*
 * One tenant that does its worst to a server: the starvation attacks of the review of 2026-11-23
 * (findings S2, S3, S4 and S21) at once.
 */

const BATCH = 5_000;
const SLOW_QUESTIONS = 40;
const MEMORY_HOGS = 4;
const DEEP_DOCUMENTS = 2;
const UPLOADS = 200;
const UPLOADS_AT_ONCE = 8;
const ROWS_OF_UPLOAD = 1_000;
const UNREAD_STREAMS = 32;
/** Levels of nested paragraphs; the file has some 5 KB. */
const DEPTH = 300_000;
const PAUSE_AFTER_REFUSAL_MS = 20;

/** The parts of the attack, by name. */
export type Attack = 'slow questions' | 'memory hogs' | 'deep documents' | 'uploads' | 'unread streams';

export class NoisyTenant {
  /** How often each part was answered with each status. */
  readonly answers: Record<string, number> = {};
  private readonly desk: Desk;
  private stopped = new AbortController();
  private running: Promise<unknown>[] = [];
  private streams: ClientRequest[] = [];

  constructor(desk: Desk) {
    this.desk = desk;
  }

  /** Ingests the events that the questions are about. Every value of `u` and `w` is unique. */
  async prepare(events: number): Promise<void> {
    const timestamp = new Date(Date.now() - 3_600_000).toISOString();
    for (let first = 0; first < events; first += BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, events - first) }, (_, index) => {
        const n = first + index;
        const text = `order ${n} of customer ${(n * 7_919) % 1_000_003} was paid`;
        return { eventName: 'noise', timestamp, properties: { u: `u${n}`, w: `w${n}`, txt: text, n } };
      });
      const response = await this.post(EVENTS, { events: batch });
      if (response.status !== 202) throw new Error(`ingest answered ${response.status}: ${await response.text()}`);
      await response.body?.cancel();
    }
  }

  /** Begins every part of the attack; each goes on until `stop`. */
  start(): void {
    this.stopped = new AbortController();
    this.repeat('slow questions', SLOW_QUESTIONS, () => this.ask(slowQuestion()));
    this.repeat('memory hogs', MEMORY_HOGS, () => this.ask(memoryHog()));
    this.repeat('deep documents', DEEP_DOCUMENTS, () => this.sendDeepDocument());
    let left = UPLOADS;
    this.repeat('uploads', UPLOADS_AT_ONCE, async () => (left-- > 0 ? this.sendRows(left) : null));
    for (let count = 0; count < UNREAD_STREAMS; count++) this.openUnreadStream();
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    for (const stream of this.streams) stream.destroy();
    await Promise.allSettled(this.running);
    this.running = [];
    this.streams = [];
  }

  /** `act` answers a status, or null when it has nothing more to do. */
  private repeat(attack: Attack, workers: number, act: () => Promise<number | null>): void {
    const { signal } = this.stopped;
    const work = async () => {
      while (!signal.aborted) {
        const status = await act().catch(() => 0);
        if (status === null || signal.aborted) return;
        this.count(attack, status);
        // A refused request is repeated, but not as fast as this client can send.
        if (status >= 400 || status === 0) await new Promise((next) => setTimeout(next, PAUSE_AFTER_REFUSAL_MS));
      }
    };
    for (let count = 0; count < workers; count++) this.running.push(work());
  }

  private count(attack: Attack, status: number): void {
    const name = `${attack}: ${status === 0 ? 'broken off' : status}`;
    this.answers[name] = (this.answers[name] ?? 0) + 1;
  }

  private async ask(question: object): Promise<number> {
    const response = await this.post(`${EVENTS}/query`, question);
    await response.body?.cancel();
    return response.status;
  }

  private async sendDeepDocument(): Promise<number> {
    const desk = this.desk;
    const job = await accepted(desk, { name: 'deep.docx', content: deepDocument() }, { vectorStore: 'noise' });
    return (await ended(desk, job, 600_000)).status === 'completed' ? 200 : 422;
  }

  private async sendRows(number: number): Promise<number> {
    const rows = Array.from({ length: ROWS_OF_UPLOAD }, (_, row) => `${row},file ${number} row ${row}`);
    const content = `id,text\n${rows.join('\n')}\n`;
    return (await send(this.desk, { name: `rows-${number}.csv`, content }, { vectorStore: 'noise' })).status;
  }

  /** Asks for an answer without end, reads its head, and none of its body. */
  private openUnreadStream(): void {
    const body = JSON.stringify({
      ...{ projectId: 'noise', provider: 'custom', providerName: 'endless', model: 'endless' },
      messages: [{ role: 'user', content: 'Go on.' }],
    });
    const headers = { 'x-api-key': this.desk.key, 'content-type': 'application/json' };
    const stream = request(`${this.desk.url}${CHAT}`, { method: 'POST', headers, agent: false });
    stream.on('response', (response) => {
      this.count('unread streams', response.statusCode ?? 0);
      response.on('error', () => undefined).pause();
    });
    stream.on('error', () => undefined);
    stream.end(body);
    this.streams.push(stream);
  }

  private post(path: string, body: unknown): Promise<Response> {
    return fetch(`${this.desk.url}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': this.desk.key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: this.stopped.signal,
    });
  }
}

/** A filter that no index serves, and a value of its own, so that no cached answer serves it either. */
function slowQuestion(): object {
  return {
    ...{ eventName: 'noise', mode: 'aggregate', groupBy: 'u' },
    metrics: [
      { aggregation: 'distinct_count', propertyKey: 'txt', alias: 'texts' },
      { aggregation: 'median', propertyKey: 'n', alias: 'middle' },
    ],
    filters: [{ propertyKey: 'txt', operator: 'notContains', value: `nothing ${Math.random()}` }],
  };
}

/** As many groups as events, with eight metrics. */
function memoryHog(): object {
  const aggregations = ['p95', 'median', 'distinct_count', 'p99', 'p90', 'avg', 'sum', 'max'];
  return {
    ...{ eventName: 'noise', mode: 'aggregate', groupBy: ['u', 'w', 'txt'] },
    metrics: aggregations.map((aggregation) => ({ aggregation, propertyKey: 'n', alias: aggregation })),
    filters: [{ propertyKey: 'n', operator: 'neq', value: -Math.random() }],
  };
}

let deep: Buffer | undefined;

function deepDocument(): Buffer {
  deep ??= makeZip([
    {
      name: '[Content_Types].xml',
      content:
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    },
    {
      name: '_rels/.rels',
      content:
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    },
    {
      name: 'word/document.xml',
      content: `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${'<w:p>'.repeat(DEPTH)}${'</w:p>'.repeat(DEPTH)}</w:body></w:document>`,
    },
  ]);
  return deep;
}
