import assert from 'node:assert/strict';
import BetterSqlite3 from 'better-sqlite3';

/** The statements that SQLite prepares while `work` runs, without those that begin and end transactions. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const texts = new Set<string>();
  const { prepare } = BetterSqlite3.prototype;
  BetterSqlite3.prototype.prepare = function (this: BetterSqlite3.Database, text: string) {
    texts.add(text);
    return prepare.call(this, text);
  } as typeof prepare;
  try {
    await work();
  } finally {
    BetterSqlite3.prototype.prepare = prepare;
  }
  return [...texts].filter((text) => !/^(begin|commit|rollback|pragma)/i.test(text));
}

/** How SQLite would run each statement on the file. */
export function plansOf(path: string, texts: readonly string[]): [text: string, plan: string[]][] {
  const database = new BetterSqlite3(path, { readonly: true });
  try {
    return texts.map((text) => {
      const values = Array.from({ length: text.split('?').length - 1 }, () => null);
      const rows = database.prepare<null[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`).all(...values);
      return [text, rows.map(({ detail }) => detail)];
    });
  } finally {
    database.close();
  }
}

/** No line of a plan is a wasteful one. */
export function assertThrifty(path: string, texts: readonly string[], wasteful: RegExp): void {
  for (const [text, plan] of plansOf(path, texts)) {
    for (const line of plan) assert.doesNotMatch(line, wasteful, `${text}\n${plan.join('\n')}`);
  }
}
