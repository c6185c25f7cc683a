import { type Kysely, sql } from 'kysely';

/* Documents of equal content are known, and jobs have notes. */

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(database);
}

const STATEMENTS = [
  `ALTER TABLE knowledge_documents ADD COLUMN content text COLLATE "C",
    ADD COLUMN repeated integer NOT NULL DEFAULT 0`,
  `ALTER TABLE knowledge_jobs ADD COLUMN notes text COLLATE "C"`,
  `CREATE INDEX knowledge_documents_by_content ON knowledge_documents (store, content) WHERE content IS NOT NULL`,
  `CREATE INDEX knowledge_documents_repeated ON knowledge_documents (store) WHERE repeated = 1`,
];
