import { EVENTS } from './app.ts';
import { type Answer, eventually } from './process.ts';

/** What the runtime has said of chats, oldest first, once it has said it of so many. Members as in docs/chat.md. */
export async function chatEvents(
  { request }: { request: (method: string, path: string, body?: unknown) => Promise<Answer> },
  eventName: 'runtime.chat_completed' | 'runtime.chat_failed',
  count: number,
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into events of every shape
): Promise<any[]> {
  const query = { eventName, limit: 1_000, sortOrder: 'asc' };
  const { found } = await eventually(
    `${count} of ${eventName}`,
    async () => {
      const { status, body } = await request('POST', `${EVENTS}/query`, query);
      if (status !== 200) throw new Error(`query answered ${status}: ${JSON.stringify(body)}`);
      return body.total >= count ? body.rows : null;
    },
    10_000,
  );
  return found;
}
