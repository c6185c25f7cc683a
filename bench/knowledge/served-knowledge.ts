import { createReadStream } from 'node:fs';
import { request } from 'node:http';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SearchAnswer, ShownJob } from '../../src/core/knowledge/schema.ts';
import { pause } from '../events/measure.ts';
import { agentOf, get, post, type Served } from '../support.ts';

const VECTORS = '/api/v1/runtime/v1/vectors';
const BOUNDARY = 'bench-boundary';
const POLL_MS = 100;

interface Upload {
  store: string;
  name: string;
  content: Iterable<Buffer> | AsyncIterable<Buffer>;
  fields?: Record<string, string>;
}

/** Knowledge of a server under test, over REST as its users have it. */
export class ServedKnowledge {
  private readonly served: Served;
  private readonly headers: Record<string, string>;
  private readonly agent = agentOf(4);

  constructor(served: Served) {
    this.served = served;
    this.headers = { 'x-api-key': served.key };
  }

  /** Uploads a file and waits until it is found. */
  async ingest(store: string, path: string, fields: Record<string, string> = {}): Promise<ShownJob> {
    const name = basename(path);
    const job = await this.ended(await this.upload({ store, name, content: createReadStream(path), fields }));
    if (job.status !== 'completed') throw new Error(`${name} was not ingested: ${job.error}`);
    return job;
  }

  /** The id of the job, once the file is stored. */
  async upload({ store, name, content, fields = {} }: Upload): Promise<string> {
    const outgoing = request(`${this.served.url}${VECTORS}/files/ingest`, {
      method: 'POST',
      headers: { ...this.headers, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    });
    const answered = new Promise<string>((resolve, reject) => {
      outgoing.on('error', reject);
      outgoing.on('response', async (response) => {
        const body = Buffer.concat(await response.toArray()).toString();
        if (response.statusCode === 202) resolve((JSON.parse(body) as { jobId: string }).jobId);
        else reject(new Error(`${name}: ${response.statusCode} ${body}`));
      });
    });
    await Promise.all([
      answered,
      pipeline(Readable.from(multipart(name, content, { vectorStore: store, ...fields })), outgoing),
    ]);
    return answered;
  }

  async ended(jobId: string): Promise<ShownJob> {
    for (;;) {
      const answer = await get(this.agent, `${this.served.url}${VECTORS}/ingestion-jobs/${jobId}`, this.headers);
      const job = JSON.parse(answer) as ShownJob;
      if (job.status === 'completed' || job.status === 'failed') return job;
      await pause(POLL_MS);
    }
  }

  async search(store: string, query: string, limit: number): Promise<SearchAnswer> {
    const url = `${this.served.url}${VECTORS}/stores/${store}/search`;
    return JSON.parse(await post(this.agent, url, JSON.stringify({ query, limit }), this.headers)) as SearchAnswer;
  }

  close(): void {
    this.agent.destroy();
  }
}

/** Seconds from when a job was queued until it was completed, as the server itself tells it. */
export function secondsOf({ createdAt, completedAt }: ShownJob): number {
  return (Date.parse(completedAt!) - Date.parse(createdAt)) / 1_000;
}

async function* multipart(name: string, content: Upload['content'], fields: Record<string, string>) {
  const part = (disposition: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  for (const [field, value] of Object.entries(fields)) yield Buffer.from(`${part(`name="${field}"`)}\r\n${value}\r\n`);
  yield Buffer.from(`${part(`name="file"; filename="${name}"`)}Content-Type: application/octet-stream\r\n\r\n`);
  yield* content;
  yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
}
