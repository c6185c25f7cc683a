import { EVENTS, type TestApp } from './app.ts';
import { eventually } from './process.ts';

/** What the runtime has said of calls of connectors, oldest first, once it has said it of so many. */
export async function connectorEvents(
  { request }: Pick<TestApp, 'request'>,
  outcome: 'executed' | 'failed',
  count: number,
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into events of every shape
): Promise<any[]> {
  const query = { eventName: `runtime.connector_${outcome}`, limit: 1_000, sortOrder: 'asc' };
  const { found } = await eventually(
    `${count} of ${query.eventName}`,
    async () => {
      const { status, body } = await request('POST', `${EVENTS}/query`, query);
      if (status !== 200) throw new Error(`query answered ${status}: ${JSON.stringify(body)}`);
      return body.total >= count ? body.rows : null;
    },
    10_000,
  );
  return found;
}
