import { createRequire } from 'node:module';

/* ClickHouse in a process of its own: one statement a message, one answer each. */

export type ClickhouseReply = { text: string } | { error: string };

interface Session {
  query(sql: string, format: string): string;
}

const [modulePath = '', dataDirectory = ''] = process.argv.slice(2);
const { Session } = createRequire(import.meta.url)(modulePath) as { Session: new (path: string) => Session };
const session = new Session(dataDirectory);

process.on('message', (sql: string) => {
  const reply = (answer: ClickhouseReply) => process.send?.(answer);
  try {
    reply({ text: session.query(sql, 'JSONCompactEachRow') });
  } catch (error) {
    reply({ error: error instanceof Error ? error.message : String(error) });
  }
});
process.on('disconnect', () => process.exit(0));
