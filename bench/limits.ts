import { fill, question } from './at-once.ts';
import { quantile } from './events/measure.ts';
import type { Options } from './events/options.ts';
import { Report } from './events/report.ts';
import { EVENTS } from './events/traffic.ts';
import { ROOT, withServer } from './served.ts';
import { agentOf, post } from './support.ts';

const SHARE_OF_ROWS = 0.1;
const WARM = 40;
const ASKED = 300;

const COUNTRIES = ['US', 'DE', 'FR', 'GB', 'ES', 'IT', 'NL', 'PL'];

const SEGMENT = { name: 'bench_viewers', by: 'country', conditions: [{ eventName: 'page_viewed' }] };

/** Limits that all events pass, so that both sides read and count the same rows. */
const LIMITS: Record<string, object | null> = {
  none: null,
  agents: { agents: ['default', 'support'] },
  eventNames: { eventNames: ['page_viewed', 'message_sent', 'product_viewed', 'purchase_completed'] },
  filters: { filters: [{ propertyKey: 'country', operator: 'in', value: COUNTRIES }] },
  'segment, asked': null,
  segment: { segment: SEGMENT.name },
};

/** A question with the segment, of a key that is not held, takes what finding its subjects takes. */
const ASKED_WITH: Record<string, object> = { 'segment, asked': { segment: SEGMENT.name } };

/** The same questions with keys that are held to limits and with one that is not, in turns; none is cached. */
export async function benchLimits({ rows, json }: Options): Promise<void> {
  const report = new Report(json);
  const events = Math.round(rows * SHARE_OF_ROWS);
  await withServer(async (server) => {
    await fill(server, events);
    await server.send('/observability/segments', SEGMENT);
    const keys = new Map<string, string>();
    const login = await fetchJson(`${server.url}/api/v1/portal/login`, {
      email: 'admin@localhost',
      password: server.password,
    });
    for (const [name, limits] of Object.entries(LIMITS)) {
      const body = { label: name, scopes: ['events:read'], limits };
      keys.set(name, (await fetchJson(`${server.url}/api/v1/portal/keys`, body, login.token)).key);
    }
    const agent = agentOf(1);
    const times = new Map<string, number[]>([...keys.keys()].map((name) => [name, []]));
    for (let turn = 0; turn < WARM + ASKED; turn += 1) {
      for (const [at, [name, key]] of [...keys].entries()) {
        const body = { ...JSON.parse(question(turn, 1_000 * (at + 1))), ...ASKED_WITH[name] };
        const started = performance.now();
        await post(agent, `${server.url}${EVENTS}/query`, JSON.stringify(body), { 'x-api-key': key });
        if (turn >= WARM) times.get(name)!.push(performance.now() - started);
      }
    }
    agent.destroy();
    const plain = quantile(times.get('none')!, 0.5);
    report.table(
      'limits',
      `uncached questions over ${events.toLocaleString('en-US')} events, by what the key is held to`,
      [...times].map(([what, all]) => ({
        what,
        values: {
          'p50 ms': quantile(all, 0.5),
          'p95 ms': quantile(all, 0.95),
          'p50 to none': quantile(all, 0.5) / plain,
        },
      })),
    );
  }, ROOT);
}

// biome-ignore lint/suspicious/noExplicitAny: a bench looks into answers of every shape
async function fetchJson(url: string, body: unknown, token?: string): Promise<any> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}
