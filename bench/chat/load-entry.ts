import { Agent, request } from 'node:http';

/* The clients of the chat bench, in a process of their own: so many at once, each asking anew when its answer is whole. */

export interface Load {
  url: string;
  body: object;
  headers: Record<string, string>;
  concurrency: number;
  seconds: number;
}

export interface Measured {
  streams: number;
  failed: number;
  /** Milliseconds until the first byte of the answer, median. */
  firstByteMs: number;
  seconds: number;
}

const WARM_SECONDS = 1;

async function run({ url, body, headers, concurrency, seconds }: Load): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const payload = JSON.stringify(body);
  const all = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload), ...headers };
  const first: number[] = [];
  let failed = 0;
  const ask = () =>
    new Promise<void>((resolve) => {
      const started = performance.now();
      let firstMs = 0;
      const fail = () => {
        failed += 1;
        resolve();
      };
      const outgoing = request(url, { method: 'POST', agent, headers: all }, (response) => {
        response.on('data', () => {
          firstMs ||= performance.now() - started;
        });
        response.on('error', fail);
        response.on('end', () => {
          if (response.statusCode !== 200) return fail();
          first.push(firstMs);
          resolve();
        });
      });
      outgoing.on('error', fail);
      outgoing.end(payload);
    });
  const load = async (forSeconds: number) => {
    const end = performance.now() + forSeconds * 1_000;
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        while (performance.now() < end) await ask();
      }),
    );
  };
  await load(WARM_SECONDS);
  process.send?.('warm');
  first.length = 0;
  failed = 0;
  const started = performance.now();
  await load(seconds);
  const passed = (performance.now() - started) / 1_000;
  agent.destroy();
  first.sort((one, other) => one - other);
  return { streams: first.length, failed, firstByteMs: first[first.length >> 1] ?? Number.NaN, seconds: passed };
}

process.on('message', async (load: Load) => process.send?.(await run(load)));
