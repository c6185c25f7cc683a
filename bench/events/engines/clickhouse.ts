import { fork } from 'node:child_process';
import { join } from 'node:path';
import { clickhouse } from '../dialect.ts';
import type { ClickhouseReply } from './clickhouse-entry.ts';
import type { Engine, Texts } from './engine.ts';
import { installed } from './install.ts';

/** ClickHouse's JSON type, which also gives every key a column. In a process of its own. */
export async function openClickhouse({ csv, scratch }: Texts, enginesDirectory: string): Promise<Engine> {
  const fromEngines = await installed(enginesDirectory, { chdb: '3.4.0' });
  const child = fork(new URL('./clickhouse-entry.ts', import.meta.url), [
    fromEngines.resolve('chdb'),
    join(scratch, 'clickhouse'),
  ]);
  const ask = (sql: string) => {
    child.send(sql);
    return new Promise<unknown[][]>((resolve, reject) => {
      const gone = () => reject(new Error('ClickHouse has ended.'));
      child.once('exit', gone);
      child.once('message', (reply: ClickhouseReply) => {
        child.off('exit', gone);
        if ('error' in reply) reject(new Error(reply.error));
        else resolve(rowsOf(reply.text));
      });
    });
  };
  await ask(`CREATE TABLE events (tenant_id LowCardinality(String), agent_id LowCardinality(String), event_name LowCardinality(String),
    ts DateTime64(3, 'UTC'), id UUID, thread_id String, execution_id Nullable(String), properties JSON)
    ENGINE = MergeTree ORDER BY (tenant_id, event_name, ts)`);
  await ask(`INSERT INTO events SELECT * FROM file('${csv}', CSV, 'tenant_id String, agent_id String, event_name String,
    ts DateTime64(3, \\'UTC\\'), id UUID, thread_id String, execution_id Nullable(String), properties JSON')`);
  await ask('OPTIMIZE TABLE events FINAL');
  const [size] = await ask("SELECT sum(bytes_on_disk) FROM system.parts WHERE table = 'events' AND active");
  return {
    name: 'ClickHouse JSON',
    dialect: clickhouse,
    rowsOf: async (statements) => {
      const results: unknown[][][] = [];
      for (const statement of statements) results.push(await ask(statement));
      return results;
    },
    diskBytes: Number(size?.[0]),
    close: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill();
      }),
  };
}

function rowsOf(lines: string): unknown[][] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown[]);
}
